import type { Figure } from "../report";
import { runProbe } from "../run-probe";
import { pairs } from "../sample";
import type { Setting } from "../setting";
import type { Subject } from "../subject/subject";

/** Measures building and synthesizing a stack, with the constructs and with the bare bindings. */
export async function synth({ runs, providers }: Setting): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { subject } of providers) {
    for (const count of subject.synthCounts) {
      figures.push(...(await synthMany(subject, count, Math.max(3, runs >> 1))));
    }
    if (subject.name === "ids") figures.push(await observed(subject, runs));
  }
  return figures;
}

const observedCount = 5_000;

/** Measures the cost of recording the line of each construct, as `trivet check`, `plan` and `deploy` do. */
async function observed({ name, piece }: Subject, runs: number): Promise<Figure> {
  const build: [number[], number[]] = [[], []];
  for (let run = 0; run <= runs; run++) {
    const noted = await runProbe("synth", name, "observed", String(observedCount));
    const plain = await runProbe("synth", name, "construct", String(observedCount));
    if (noted["checksum"] !== plain["checksum"]) throw new Error("the resources differ");
    if (run === 0) continue;
    [noted, plain].forEach(({ buildMs = Number.NaN }, index) => build[index]?.push(buildMs));
  }
  return {
    what: `${name}: build of ${observedCount} × ${piece} with their lines noted, CPU`,
    value: pairs(...build).ratio,
    unit: "×",
    against: "without",
    target: 1.05,
  };
}

async function synthMany(
  { name, piece, targets }: Subject,
  count: number,
  runs: number,
): Promise<Figure[]> {
  const build: [number[], number[]] = [[], []];
  const whole: [number[], number[]] = [[], []];
  for (let run = 0; run <= runs; run++) {
    const made = await runProbe("synth", name, "construct", String(count));
    const raw = await runProbe("synth", name, "binding", String(count));
    if (made["checksum"] !== raw["checksum"]) throw new Error("the resources differ");
    if (run === 0) continue;
    [made, raw].forEach(({ buildMs = Number.NaN, synthMs = Number.NaN }, index) => {
      build[index]?.push(buildMs);
      whole[index]?.push(buildMs + synthMs);
    });
  }
  const [building, both] = [pairs(...build), pairs(...whole)];
  const what = `of ${count} × ${piece}`;
  const against = "the bare bindings, equal `resource` sections";
  return [
    {
      what: `${name}: build ${what}, CPU`,
      value: building.ratio,
      unit: "×",
      against,
      target: targets.buildRatio,
    },
    {
      what: `${name}: build and synth ${what}, CPU`,
      value: both.ratio,
      unit: "×",
      against,
      target: wholeTarget(count),
    },
    {
      what: `${name}: build and synth ${what}, CPU`,
      value: both.a,
      unit: "ms",
      against: `bindings: ${both.b.median.toFixed(0)} ms`,
    },
  ];
}

/** With few constructs, most of the code runs before V8 has optimized it. */
const wholeTarget = (count: number): number => (count < 5_000 ? 0.9 : 0.8);
