const factor = Number(process.env["PROPERTY_RUNS"] ?? 1);

jest.setTimeout(300_000 * factor);

/**
 * How often a property is tried.
 *
 * `PROPERTY_RUNS=20 PROPERTY_SEED=random npx jest test/core/workspace/template/property` tries each twenty
 * times as often, with other inputs.
 */
export const runs = (usual: number) => ({
  numRuns: usual * factor,
  // A failing example is shrunk until then, and shown in any case.
  interruptAfterTimeLimit: 60_000 * factor,
});
