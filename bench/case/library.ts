import { join } from "node:path";
import type { Figure } from "../report";
import { runProbe } from "../run-probe";
import { inTurn, sample } from "../sample";
import type { Setting } from "../setting";

/** Loading the construct library, and checking the values of one endpoint. */
export async function library({ runs, root }: Setting): Promise<Figure[]> {
  const load = async (path: string): Promise<number> =>
    (await runProbe("import", path))["cpuMs"] ?? Number.NaN;
  const ids = join(root, "dist", "src", "ids", "index.js");
  const { ratio } = await inTurn(
    runs * 2,
    () => load(ids),
    () => load(require.resolve("cdktf")),
  );
  const checks: number[] = [];
  for (let run = 0; run < runs; run++) {
    checks.push((await runProbe("check"))["cpuUs"] ?? Number.NaN);
  }
  return [
    {
      what: "import of `trivet/ids`, CPU",
      value: ratio,
      unit: "×",
      against: "`cdktf` alone",
      target: 1.2,
    },
    {
      what: "check of an endpoint with 99 exceptions, CPU",
      value: sample(checks),
      unit: "µs",
      against: "all rules",
      target: 50,
    },
  ];
}
