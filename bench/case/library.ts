import type { Figure } from "../report";
import { runProbe } from "../run-probe";
import { inTurn, sample } from "../sample";
import type { Setting } from "../setting";
import type { Subject } from "../subject/subject";

/** Measures the import of the construct library, and the check of values. */
export async function library({ runs, providers }: Setting): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { subject } of providers) {
    figures.push(await loading(subject, runs * 2), await checking(subject, runs));
  }
  return figures;
}

async function loading({ name, constructs, importRatio }: Subject, runs: number): Promise<Figure> {
  const load = async (path: string, names: readonly string[] = []): Promise<number> =>
    (await runProbe("import", path, ...names))["cpuMs"] ?? Number.NaN;
  const ours = require.resolve(`@trivet/constructs/${name}`);
  const { ratio } = await inTurn(
    runs,
    () => load(ours, constructs),
    () => load(require.resolve("cdktf")),
  );
  return {
    what: `${name}: import of ${constructs.map((each) => `\`${each}\``).join(", ")}, CPU`,
    value: ratio,
    unit: "×",
    against: "`cdktf` alone",
    target: importRatio,
  };
}

async function checking({ name, check }: Subject, runs: number): Promise<Figure> {
  const checks: number[] = [];
  for (let run = 0; run < runs; run++) {
    checks.push((await runProbe(check.probe))["cpuUs"] ?? Number.NaN);
  }
  return {
    what: `${name}: check of ${check.what}, CPU`,
    value: sample(checks),
    unit: "µs",
    against: "all rules",
    target: check.targetUs,
  };
}
