import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Comparison } from "../comparison/comparison";
import { comparisons } from "../comparison/comparisons";
import type { Figure } from "../report";
import { pairs, sample } from "../sample";
import type { MeasuredProvider, Setting } from "../setting";
import { Terraform } from "../terraform";
import type { Timing } from "../time-command";
import type { WarmTiming } from "../warm-terraform";

/**
 * Measures whole commands for one small configuration, with our provider and with the peer that
 * `--peer` names, alternately. Both are installed and locked: Terraform hashes a package in each
 * command.
 */
export async function peer({ runs, root, providers, peers }: Setting): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-bench-"));
  try {
    const terraform = new Terraform(folder, root);
    const figures: Figure[] = [];
    for (const provider of providers) {
      const comparison = comparisons.find((each) => each.provider === provider.subject.name);
      if (comparison === undefined) continue;
      const executable = peers.get(comparison.peer.name);
      const setting = { terraform, folder, provider, executable, runs };
      figures.push(...(await measure(comparison, setting)));
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Measured {
  readonly terraform: Terraform;
  readonly folder: string;
  readonly provider: MeasuredProvider;
  /** The peer's executable. */
  readonly executable: string | undefined;
  readonly runs: number;
}

const commands = {
  plan: "terraform plan -input=false -lock=false",
  apply: "terraform apply -input=false -lock=false -auto-approve",
} as const;
const names = ["plan", "apply"] as const;

/** The time of each command. */
type Timings<Each = Timing> = Readonly<Record<(typeof names)[number], Each>>;

/** One run of each, one after another. */
interface Taken {
  readonly ours: Timings;
  readonly warm: Timings<WarmTiming>;
  readonly theirs: Timings | undefined;
}

/** The targets of a warm plan: the ratio of all CPU to a cold peer, and the provider's part. */
const warmTargets = { peer: 0.35, providerMs: 30 };

async function measure(
  comparison: Comparison,
  { terraform, folder, provider, executable, runs }: Measured,
): Promise<Figure[]> {
  const { name, localName } = comparison.peer;
  const own = provider.subject.name;
  const services = join(folder, `${own}-services`);
  mkdirSync(services);
  const open = await comparison.open(services);
  try {
    const ours = terraform.prepare(`${own}-one`, {
      terraform: {
        required_providers: {
          [own]: { source: `trivet.local/trivet/${own}`, version: provider.version },
        },
      },
      ...open.ours,
    });
    const theirs =
      executable === undefined
        ? undefined
        : terraform.prepare(`${own}-peer`, {
            terraform: {
              required_providers: { [localName]: terraform.installPeer(name, executable) },
            },
            ...open.theirs,
          });
    const take = async <Each>(
      cwd: string,
      time: (
        command: string,
        environment: Readonly<Record<string, string>>,
      ) => Each | Promise<Each>,
    ): Promise<Timings<Each>> => {
      rmSync(join(cwd, "terraform.tfstate"), { force: true });
      const environment = { ...open.environment, ...(await open.prepare()) };
      const plan = await time(commands.plan, environment);
      const apply = await time(commands.apply, environment);
      await open.confirm();
      return { plan, apply };
    };
    const cold = (cwd: string): Promise<Timings> =>
      take(cwd, (command, environment) => terraform.time(cwd, command, environment));
    const kept = terraform.startWarm();
    const taken: Taken[] = [];
    try {
      for (let run = 0; run <= runs; run++) {
        const all = {
          ours: await cold(ours),
          warm: await take(ours, (command, environment) => kept.time(ours, command, environment)),
          theirs: theirs === undefined ? undefined : await cold(theirs),
        };
        if (run > 0) taken.push(all);
      }
    } finally {
      await kept.close();
    }
    return [...figuresOf(comparison, taken), ...warmFigures(comparison, taken)];
  } finally {
    await open.close();
  }
}

/** The same commands with a provider that is kept by `trivet exec --warm`. */
function warmFigures({ provider, piece, peer: { name } }: Comparison, taken: readonly Taken[]) {
  const figures: Figure[] = [];
  for (const command of names) {
    const what = `${provider}: \`terraform ${command}\` of ${piece}, warm`;
    for (const measure of ["cpuMs", "wallMs"] as const) {
      const spent = measure === "cpuMs" ? "CPU of all processes" : "wall";
      const warm = taken.map((run) => run.warm[command][measure]);
      const cold = taken.map((run) => run.ours[command][measure]);
      const theirs = taken.flatMap((run) => run.theirs?.[command][measure] ?? []);
      const { a, b, ratio } = pairs(warm, cold);
      const against = `cold: ${b.median.toFixed(0)} ms, at least ${b.min.toFixed(0)} ms`;
      figures.push({ what: `${what}, ${spent}`, value: a, unit: "ms", against });
      figures.push({ what: `${what}, ${spent}`, value: ratio, unit: "×", against });
      if (theirs.length === 0) continue;
      const beside = pairs(warm, theirs);
      figures.push({
        ...{ what: `${what}, ${spent}`, value: beside.ratio, unit: "×" },
        against: `\`${name}\`, cold`,
        target: command === "plan" && measure === "cpuMs" ? warmTargets.peer : undefined,
      });
    }
    const own = taken.map((run) => run.warm[command].providerCpuMs);
    const target = command === "plan" ? warmTargets.providerMs : undefined;
    const against = "the provider's process alone";
    figures.push({ what: `${what}, CPU`, value: sample(own), unit: "ms", against, target });
  }
  return figures;
}

function figuresOf(
  { provider, piece, peer: { name }, target }: Comparison,
  taken: readonly Taken[],
): Figure[] {
  const figures: Figure[] = [];
  for (const command of names) {
    for (const measure of ["cpuMs", "wallMs"] as const) {
      const spent = measure === "cpuMs" ? "CPU of all processes" : "wall";
      const what = `${provider}: \`terraform ${command}\` of ${piece}, ${spent}`;
      const ours = taken.map((run) => run.ours[command][measure]);
      const theirs = taken.flatMap((run) => run.theirs?.[command][measure] ?? []);
      if (theirs.length === 0) {
        const against = `no \`--peer ${name}=PATH\``;
        figures.push({ what, value: sample(ours), unit: "ms", against });
        continue;
      }
      const { a, b, ratio } = pairs(ours, theirs);
      const against = `\`${name}\`: ${b.median.toFixed(0)} ms, at least ${b.min.toFixed(0)} ms`;
      figures.push({ what, value: a, unit: "ms", against });
      figures.push({ what, value: ratio, unit: "×", against, target });
    }
  }
  return figures;
}
