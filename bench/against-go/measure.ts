import { rmSync } from "node:fs";
import { createCertificate } from "../../src/core/provider-kit/host/connection/certificate";
import { spawnProvider, terraformEnvironment } from "../../src/core/provider-kit/testing";
import { startBackground } from "../background";
import type { CompiledProvider } from "../compile-providers";
import { cpuAtFirstOutput } from "../cpu-at-first-output";
import { peakMb } from "../process-figures";
import { type Sample, sample } from "../sample";
import type { MeasuredProvider } from "../setting";
import { Terraform } from "../terraform";
import { TerraformWalk } from "../terraform-walk";
import type { Timing } from "../time-command";
import { type Twin } from "./build-twin";
import {
  type CommandName,
  commands,
  commandsWith,
  type Contender,
  contenders,
  quiet,
} from "./contender";

type ByContender<Value> = ReadonlyMap<Contender["name"], Value>;

interface Times {
  readonly cpu: Sample;
  readonly wall: Sample;
}

/** The time of each command for a number of endpoints. */
export interface Commands {
  readonly count: number;
  readonly runs: number;
  readonly times: ReadonlyMap<CommandName, ByContender<Times>>;
}

/** The measurements of `--against-go`. */
export interface AgainstGo {
  readonly twin: Twin;
  readonly compiled: CompiledProvider;
  /** CPU until the handshake, in milliseconds. */
  readonly start: ByContender<Sample>;
  readonly commands: readonly Commands[];
  /** Peak memory of the provider while it plans, in MB. */
  readonly memory: readonly { readonly count: number; readonly peak: ByContender<number> }[];
}

/** The setting of the measurements. */
export interface AgainstGoSetting {
  readonly runs: number;
  readonly root: string;
  /** An empty folder. */
  readonly folder: string;
  readonly provider: MeasuredProvider;
  /** The same provider, compiled. */
  readonly compiled: CompiledProvider;
  readonly twin: Twin;
  /** The numbers of endpoints. */
  readonly counts: readonly number[];
}

/**
 * Measures our provider, the same compiled, and its twin in Go in turn: whole commands with installed and locked
 * packages, the start of a process, and its memory.
 */
export async function measureAgainstGo(setting: AgainstGoSetting): Promise<AgainstGo> {
  return {
    twin: setting.twin,
    compiled: setting.compiled,
    start: await measureStart(setting),
    commands: await measureCommands(setting),
    memory: await measureMemory(setting),
  };
}

/** The programs of the contenders. */
const executables = ({ provider, compiled, twin }: AgainstGoSetting) =>
  [
    ["ours", provider.executable],
    ["ours, compiled", compiled.executable],
    ["Go", twin.executable],
  ] as const;

async function measureStart(setting: AgainstGoSetting): Promise<ByContender<Sample>> {
  const environment = terraformEnvironment(createCertificate());
  const programs = executables(setting).map(([name, path]) => ({
    name,
    path,
    taken: [] as number[],
  }));
  for (let run = 0; run <= setting.runs * 3; run++) {
    for (const { path, taken } of programs) {
      const cpu = await cpuAtFirstOutput(path, [], environment);
      if (run > 0) taken.push(cpu);
    }
  }
  return new Map(programs.map(({ name, taken }) => [name, sample(taken)]));
}

async function measureCommands(setting: AgainstGoSetting): Promise<readonly Commands[]> {
  const { folder, root, counts, provider, twin } = setting;
  const terraform = new Terraform(folder, root);
  const peer = terraform.install("trivet.local/peer/ids-twin", {
    executable: twin.executable,
    version: "0.0.1",
  });
  const compiledIds = terraform.install("trivet.local/compiled/ids", setting.compiled);
  const own = { source: "trivet.local/trivet/ids", version: provider.version };
  const service = await startBackground("serve-ids", String(Math.max(...counts)));
  const warm = terraform.startWarm();
  try {
    const all: Commands[] = [];
    for (const count of counts) {
      console.error(`  ${count} …`);
      const configuration = (ids: object): object => ({
        terraform: { required_providers: { ids } },
        ...configurationOf(provider, count, service.facts["url"] ?? ""),
      });
      const ours = terraform.prepare(`ours-${count}`, configuration(own));
      const compiled = terraform.prepare(`compiled-${count}`, configuration(compiledIds));
      const theirs = terraform.prepare(`go-${count}`, configuration(peer));
      const time: Readonly<
        Record<Contender["name"], (command: string) => Timing | Promise<Timing>>
      > = {
        ours: (command) => terraform.time(ours, command, {}),
        "ours, compiled": (command) => terraform.time(compiled, command, {}),
        "ours, warm": (command) => warm.time(ours, command, {}),
        Go: (command) => terraform.time(theirs, command, {}),
        "Go, quiet": (command) => terraform.time(theirs, command, quiet),
      };
      all.push(await measureCount(count, runsFor(count, setting.runs), time));
      for (const made of [ours, compiled, theirs]) rmSync(made, { recursive: true });
    }
    return all;
  } finally {
    await warm.close();
    await service.close();
  }
}

/** Large configurations take minutes, and vary less. */
const runsFor = (count: number, runs: number): number => (count >= 1_000 ? 1 : runs);

async function measureCount(
  count: number,
  runs: number,
  time: Readonly<Record<Contender["name"], (command: string) => Timing | Promise<Timing>>>,
): Promise<Commands> {
  const taken = new Map(
    commandsWith(count).map((command) => [
      command,
      new Map(contenders.map(({ name }) => [name, [] as Timing[]])),
    ]),
  );
  // The first round fills the caches of the operating system.
  for (let run = runs === 1 ? 1 : 0; run <= runs; run++) {
    for (const { name } of contenders) {
      for (const [command, timings] of taken) {
        const timing = await time[name](commands[command]);
        if (run > 0) timings.get(name)?.push(timing);
      }
    }
  }
  const times = [...taken].map(([command, byContender]) => {
    const summaries = [...byContender].map(([name, timings]) => [name, summary(timings)] as const);
    return [command, new Map(summaries)] as const;
  });
  return { count, runs, times: new Map(times) };
}

const summary = (timings: readonly Timing[]): Times => ({
  cpu: sample(timings.map(({ cpuMs }) => cpuMs)),
  wall: sample(timings.map(({ wallMs }) => wallMs)),
});

/** The endpoints of the other benchmarks, in a local service. */
function configurationOf({ subject }: MeasuredProvider, count: number, url: string): object {
  const { provider, ...rest } = subject.configuration(count) as {
    readonly provider: { readonly ids: object };
  };
  return { ...rest, provider: { ids: { ...provider.ids, cloud_ids_custom_endpoint: url } } };
}

async function measureMemory(setting: AgainstGoSetting) {
  const all: { count: number; peak: Map<Contender["name"], number> }[] = [];
  for (const count of setting.counts) {
    const peak = new Map<Contender["name"], number>();
    for (const [name, executable] of executables(setting)) {
      const process = await spawnProvider([executable]);
      try {
        const walk = new TerraformWalk(process, setting.provider.subject);
        await walk.configure();
        await walk.take("plan", count);
        peak.set(name, peakMb(process.process.pid ?? 0));
      } finally {
        await process.close();
      }
    }
    all.push({ count, peak });
  }
  return all;
}
