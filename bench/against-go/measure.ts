import { rmSync } from "node:fs";
import { createCertificate } from "../../src/provider-kit/host/connection/certificate";
import { spawnProvider, terraformEnvironment } from "../../src/provider-kit/testing";
import { startBackground } from "../background";
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
  commandNames,
  commands,
  type Contender,
  contenders,
  quiet,
} from "./contender";

type ByContender<Value> = ReadonlyMap<Contender["name"], Value>;

/** The time of each command for a number of endpoints. */
export interface Commands {
  readonly count: number;
  readonly runs: number;
  readonly times: Readonly<
    Record<CommandName, ByContender<{ readonly cpu: Sample; readonly wall: Sample }>>
  >;
}

/** What `--against-go` measures. */
export interface AgainstGo {
  readonly twin: Twin;
  /** CPU until the handshake, in milliseconds. */
  readonly start: ByContender<Sample>;
  readonly commands: readonly Commands[];
  /** Peak memory of the provider while it plans, in MB. */
  readonly memory: readonly { readonly count: number; readonly peak: ByContender<number> }[];
}

/** What is measured, and how often. */
export interface AgainstGoSetting {
  readonly runs: number;
  readonly root: string;
  /** An empty folder. */
  readonly folder: string;
  readonly provider: MeasuredProvider;
  readonly twin: Twin;
  /** The numbers of endpoints. */
  readonly counts: readonly number[];
}

/**
 * Measures our provider and its twin in Go in turn: whole commands with installed and locked packages, the
 * start of a process, and its memory.
 */
export async function measureAgainstGo(setting: AgainstGoSetting): Promise<AgainstGo> {
  return {
    twin: setting.twin,
    start: await measureStart(setting),
    commands: await measureCommands(setting),
    memory: await measureMemory(setting),
  };
}

async function measureStart({ runs, provider, twin }: AgainstGoSetting) {
  const environment = terraformEnvironment(createCertificate());
  const taken = { ours: [] as number[], Go: [] as number[] };
  for (let run = 0; run <= runs * 3; run++) {
    const ours = await cpuAtFirstOutput(provider.executable, [], environment);
    const go = await cpuAtFirstOutput(twin.executable, [], environment);
    if (run === 0) continue;
    taken.ours.push(ours);
    taken.Go.push(go);
  }
  return new Map([
    ["ours", sample(taken.ours)],
    ["Go", sample(taken.Go)],
  ] as const);
}

async function measureCommands(setting: AgainstGoSetting): Promise<readonly Commands[]> {
  const { folder, root, counts, provider, twin } = setting;
  const terraform = new Terraform(folder, root);
  const peer = terraform.installPeer("ids-twin", twin.executable);
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
      const theirs = terraform.prepare(`go-${count}`, configuration(peer));
      const time: Readonly<
        Record<Contender["name"], (command: string) => Timing | Promise<Timing>>
      > = {
        ours: (command) => terraform.time(ours, command, {}),
        "ours, warm": (command) => warm.time(ours, command, {}),
        Go: (command) => terraform.time(theirs, command, {}),
        "Go, quiet": (command) => terraform.time(theirs, command, quiet),
      };
      all.push(await measureCount(count, runsFor(count, setting.runs), time));
      rmSync(ours, { recursive: true });
      rmSync(theirs, { recursive: true });
    }
    return all;
  } finally {
    await warm.close();
    await service.close();
  }
}

/** Large configurations take minutes, and vary less. */
function runsFor(count: number, runs: number): number {
  if (count > 1_000) return 1;
  return count > 100 ? Math.min(runs, 3) : runs;
}

async function measureCount(
  count: number,
  runs: number,
  time: Readonly<Record<Contender["name"], (command: string) => Timing | Promise<Timing>>>,
): Promise<Commands> {
  const taken = new Map(contenders.map(({ name }) => [name, [] as Record<CommandName, Timing>[]]));
  // The first round warms up what the operating system caches.
  for (let run = runs === 1 ? 1 : 0; run <= runs; run++) {
    for (const [name, timings] of taken) {
      const timing: Partial<Record<CommandName, Timing>> = {};
      for (const command of commandNames) timing[command] = await time[name](commands[command]);
      if (run > 0) timings.push(timing as Record<CommandName, Timing>);
    }
  }
  const summary = (command: CommandName) =>
    new Map(
      [...taken].map(([name, timings]) => [
        name,
        {
          cpu: sample(timings.map((timing) => timing[command].cpuMs)),
          wall: sample(timings.map((timing) => timing[command].wallMs)),
        },
      ]),
    );
  return {
    count,
    runs,
    times: {
      plan: summary("plan"),
      apply: summary("apply"),
      "second plan": summary("second plan"),
      destroy: summary("destroy"),
    },
  };
}

/** The endpoints of the other benchmarks, in a local service. */
function configurationOf({ subject }: MeasuredProvider, count: number, url: string): object {
  const { provider, ...rest } = subject.configuration(count) as {
    readonly provider: { readonly ids: object };
  };
  return { ...rest, provider: { ids: { ...provider.ids, cloud_ids_custom_endpoint: url } } };
}

async function measureMemory({ counts, provider, twin }: AgainstGoSetting) {
  const all: { count: number; peak: Map<Contender["name"], number> }[] = [];
  for (const count of counts) {
    const peak = new Map<Contender["name"], number>();
    for (const [name, executable] of [
      ["ours", provider.executable],
      ["Go", twin.executable],
    ] as const) {
      const process = await spawnProvider([executable]);
      try {
        const walk = new TerraformWalk(process, provider.subject);
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
