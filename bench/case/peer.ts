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

const commands = ["plan", "apply"] as const;

/** The time of each command. */
type Timings = Readonly<Record<(typeof commands)[number], Timing>>;

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
    const take = async (cwd: string): Promise<Timings> => {
      rmSync(join(cwd, "terraform.tfstate"), { force: true });
      const environment = { ...open.environment, ...(await open.prepare()) };
      const time = (command: string): Timing => terraform.time(cwd, command, environment);
      const plan = time("terraform plan -input=false -lock=false");
      const apply = time("terraform apply -input=false -lock=false -auto-approve");
      await open.confirm();
      return { plan, apply };
    };
    const taken: { readonly ours: Timings; readonly theirs: Timings | undefined }[] = [];
    for (let run = 0; run <= runs; run++) {
      const both = {
        ours: await take(ours),
        theirs: theirs === undefined ? undefined : await take(theirs),
      };
      if (run > 0) taken.push(both);
    }
    return figuresOf(comparison, taken);
  } finally {
    await open.close();
  }
}

function figuresOf(
  { provider, piece, peer: { name }, target }: Comparison,
  taken: readonly { readonly ours: Timings; readonly theirs: Timings | undefined }[],
): Figure[] {
  const figures: Figure[] = [];
  for (const command of commands) {
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
