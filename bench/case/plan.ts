import { spawnProvider } from "../../src/core/provider-kit/testing";
import { cpuMs, peakMb } from "../process-figures";
import type { Figure } from "../report";
import { pairs, sample } from "../sample";
import type { MeasuredProvider, Setting } from "../setting";
import { calls, type Step, stepsOf } from "../step";
import { TerraformWalk } from "../terraform-walk";

/** Measures a provider's plan and apply, with the calls that Terraform makes. */
export async function plan({ runs, providers }: Setting): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const provider of providers) {
    for (const count of provider.subject.counts) {
      figures.push(...(await planMany(provider, count, runsFor(count, runs))));
    }
  }
  return figures;
}

const runsFor = (count: number, runs: number): number =>
  count > 1_000 ? Math.max(3, runs >> 2) : runs;

async function planMany(
  provider: MeasuredProvider,
  count: number,
  runs: number,
): Promise<Figure[]> {
  const { name, piece, resources, targets } = provider.subject;
  const taken = stepsOf(provider.subject);
  const worked: Measured[] = [];
  const idled: Measured[] = [];
  for (let run = 0; run < runs; run++) {
    worked.push(await measure(provider, taken, count, "take"));
    idled.push(await measure(provider, taken, count, "idle"));
  }
  const hasTarget = count === 1_000;
  return taken.flatMap((step, at): Figure[] => {
    const cpu = (all: readonly Measured[]) => all.map(({ cpuUs }) => cpuUs[at] ?? Number.NaN);
    const { a, b } = pairs(cpu(worked), cpu(idled));
    const each = calls[step] * resources.length;
    const isPlan = step === "plan";
    return [
      {
        what: `${name}: ${step} of ${count}, provider CPU per ${piece}`,
        value: a,
        unit: "µs",
        against: `${each} calls that do nothing: ${b.median.toFixed(0)} µs`,
        target: hasTarget && isPlan ? targets.planUs : undefined,
      },
      {
        what: `${name}: ${step} of ${count}, provider memory`,
        value: sample(worked.map(({ peaksMb }) => peaksMb[at] ?? Number.NaN)),
        unit: "MB",
        against: isPlan ? "peak" : "peak so far",
        target: hasTarget && isPlan ? targets.memoryMb : undefined,
      },
    ];
  });
}

/** The figures after each step. */
interface Measured {
  readonly cpuUs: readonly number[];
  readonly peaksMb: readonly number[];
}

async function measure(
  { executable, subject }: MeasuredProvider,
  taken: readonly Step[],
  count: number,
  way: "take" | "idle",
): Promise<Measured> {
  const provider = await spawnProvider([executable], subject.environment);
  try {
    const pid = provider.process.pid ?? 0;
    const walk = new TerraformWalk(provider, subject);
    await walk.configure();
    const cpuUs: number[] = [];
    const peaksMb: number[] = [];
    for (const step of taken) {
      const before = cpuMs(pid);
      await walk[way](step, count);
      cpuUs.push(((cpuMs(pid) - before) * 1000) / count);
      peaksMb.push(peakMb(pid));
    }
    return { cpuUs, peaksMb };
  } finally {
    await provider.close();
  }
}
