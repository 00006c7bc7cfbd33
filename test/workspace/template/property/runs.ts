const factor = Number(process.env["PROPERTY_RUNS"] ?? 1);

jest.setTimeout(300_000 * factor);

/**
 * How often a property is tried. A failing one prints its seed, which can be set as `seed`.
 *
 * `PROPERTY_RUNS=20 npx jest test/workspace/property` tries each twenty times as often.
 */
export const runs = (usual: number) => ({
  numRuns: usual * factor,
  // A failing example is shrunk until then, and shown in any case.
  interruptAfterTimeLimit: 60_000 * factor,
});
