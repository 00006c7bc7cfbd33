import { ids } from "../../../bench/comparison/ids";
import { comparisonFigures } from "../../../bench/comparison/figures";
import type { Taken } from "../../../bench/comparison/taken";

const both = (cpuMs: number) => {
  const timing = { cpuMs, wallMs: cpuMs * 2 };
  return { plan: timing, apply: timing };
};

function run(more: Partial<Taken> = {}): Taken {
  const timing = { cpuMs: 50, wallMs: 100, providerCpuMs: 20 };
  return {
    ours: both(300),
    compiled: undefined,
    warm: { plan: timing, apply: timing },
    theirs: undefined,
    ...more,
  };
}

/** The rows about `terraform plan` in one form, without what is the same in all. */
const planRows = (taken: readonly Taken[], form: string) =>
  comparisonFigures(ids, taken)
    .filter(({ what }) => what.startsWith(`ids: \`terraform plan\` of one endpoint, ${form}`))
    .map(({ what, value, unit, against, target }) => [
      what.split(", ").at(-1),
      value.median,
      unit,
      against,
      target,
    ]);

describe("the figures of a comparison", () => {
  it("have no rows about the compiled form unless it was measured", () => {
    expect(planRows([run()], "compiled")).toEqual([]);
    expect(planRows([run()], "CPU")).toEqual([
      ["CPU of all processes", 300, "ms", "no `--peer ids-twin=PATH`", undefined],
    ]);
  });

  it("compare the compiled form with ours on Node.js, pair by pair", () => {
    const slow = run({ ours: both(600), compiled: both(300) });
    const taken = [run({ compiled: both(240) }), slow, run({ compiled: both(210) })];
    const against = ["on Node.js: 300 ms, at least 300 ms", "on Node.js: 600 ms, at least 600 ms"];
    expect(planRows(taken, "compiled")).toEqual([
      ["CPU of all processes", 240, "ms", against[0], undefined],
      ["CPU of all processes", 0.7, "×", against[0], undefined],
      ["wall", 480, "ms", against[1], undefined],
      ["wall", 0.7, "×", against[1], undefined],
    ]);
    const applied = comparisonFigures(ids, taken).filter(({ what }) =>
      /apply.*compiled/.test(what),
    );
    expect(applied).toHaveLength(4);
  });

  it("compare each form with the peer", () => {
    const taken = [run({ compiled: both(200), theirs: both(100) })];
    const against = "`ids-twin`: 100 ms, at least 100 ms";
    expect(planRows(taken, "CPU")).toEqual([
      ["CPU of all processes", 300, "ms", against, undefined],
      ["CPU of all processes", 3, "×", against, 0.8],
    ]);
    expect(planRows(taken, "compiled")).toContainEqual([
      "CPU of all processes",
      2,
      "×",
      "`ids-twin`",
      0.8,
    ]);
    expect(planRows(taken, "warm")).toContainEqual([
      "CPU of all processes",
      0.5,
      "×",
      "`ids-twin`, cold",
      0.35,
    ]);
  });

  it("have the CPU of a warm provider", () => {
    expect(planRows([run()], "warm")).toContainEqual([
      "CPU",
      20,
      "ms",
      "the provider's process alone",
      30,
    ]);
  });
});
