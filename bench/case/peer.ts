import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CompiledProvider, compileProviders } from "../compile-providers";
import type { Comparison, OpenComparison } from "../comparison/comparison";
import { comparisons } from "../comparison/comparisons";
import { comparisonFigures } from "../comparison/figures";
import { commands, type Taken, type Timings } from "../comparison/taken";
import type { Figure } from "../report";
import type { MeasuredProvider, Setting } from "../setting";
import { type InstalledExecutable, Terraform } from "../terraform";

/**
 * Measures whole commands for one small configuration, in turn with our provider, with its compiled form if
 * `--compiled` is there, and with the peer that `--peer` names. All are installed and locked: Terraform hashes
 * a package in each command.
 */
export async function peer(setting: Setting): Promise<Figure[]> {
  const { runs, root, providers, peers, isCompiledMeasured } = setting;
  const folder = mkdtempSync(join(tmpdir(), "trivet-bench-"));
  try {
    const names = providers.map(({ subject }) => subject.name);
    const compiled = isCompiledMeasured
      ? await compileProviders(root, join(folder, "compiled"), names)
      : new Map<string, CompiledProvider>();
    const terraform = new Terraform(folder, root);
    const figures: Figure[] = [];
    for (const provider of providers) {
      const { name } = provider.subject;
      const comparison = comparisons.find((each) => each.provider === name);
      if (comparison === undefined) continue;
      const executable = peers.get(comparison.peer.name);
      const theirs = executable === undefined ? undefined : { executable, version: "0.0.1" };
      const taken = await measure(comparison, {
        terraform,
        folder,
        provider,
        runs,
        theirs,
        compiled: compiled.get(name),
      });
      figures.push(...comparisonFigures(comparison, taken));
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
  readonly compiled: InstalledExecutable | undefined;
  /** The peer. */
  readonly theirs: InstalledExecutable | undefined;
  readonly runs: number;
}

async function measure(comparison: Comparison, measured: Measured): Promise<readonly Taken[]> {
  const { terraform, folder, provider, runs } = measured;
  const services = join(folder, `${provider.subject.name}-services`);
  mkdirSync(services);
  const open = await comparison.open(services);
  try {
    const { ours, compiled, theirs } = prepare(comparison, open, measured);
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
          compiled: compiled === undefined ? undefined : await cold(compiled),
          warm: await take(ours, (command, environment) => kept.time(ours, command, environment)),
          theirs: theirs === undefined ? undefined : await cold(theirs),
        };
        if (run > 0) taken.push(all);
      }
    } finally {
      await kept.close();
    }
    return taken;
  } finally {
    await open.close();
  }
}

/** The folders with the initialised configurations. */
interface Prepared {
  readonly ours: string;
  readonly compiled: string | undefined;
  readonly theirs: string | undefined;
}

function prepare(
  { peer: { name: peerName, localName } }: Comparison,
  open: OpenComparison,
  { terraform, provider, compiled, theirs }: Measured,
): Prepared {
  const { name } = provider.subject;
  const initialised = (form: string, required: object, configuration: object): string =>
    terraform.prepare(`${name}-${form}`, {
      terraform: { required_providers: required },
      ...configuration,
    });
  const own = { source: `trivet.local/trivet/${name}`, version: provider.version };
  return {
    ours: initialised("one", { [name]: own }, open.ours),
    compiled:
      compiled &&
      initialised(
        "compiled",
        { [name]: terraform.install(`trivet.local/compiled/${name}`, compiled) },
        open.ours,
      ),
    theirs:
      theirs &&
      initialised(
        "peer",
        { [localName]: terraform.install(`trivet.local/peer/${peerName}`, theirs) },
        open.theirs,
      ),
  };
}
