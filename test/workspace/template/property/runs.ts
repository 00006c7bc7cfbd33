const factor = Number(process.env["PROPERTY_RUNS"] ?? 1);

jest.setTimeout(300_000 * factor);

/**
 * How often a property is tried; a failing one prints its seed, to be given as `seed`.
 *
 * `PROPERTY_RUNS=20 npx jest test/workspace/property` tries each twenty times as often.
 */
export const runs = (usual: number) => ({
  numRuns: usual * factor,
  // What fails is made smaller until then, and shown in any case.
  interruptAfterTimeLimit: 60_000 * factor,
});
