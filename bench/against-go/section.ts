import { commandNames, type Contender, contenders } from "./contender";
import { crossover } from "./crossover";
import type { AgainstGo } from "./measure";

type ContenderName = Contender["name"];

/** The section of the page about performance, in Markdown. */
export function section(measured: AgainstGo, machine: string): string {
  const { twin, compiled, start, commands, memory } = measured;
  const started = (name: ContenderName): string => both(start.get(name));
  return [
    `The twin is ${twin.sizeMb.toFixed(0)} MB, built by ${twin.madeWith}. Compiled, all of our providers are one executable of ${compiled.sizeMb.toFixed(0)} MB, built by ${compiled.madeWith}. CPU of all processes in milliseconds, minimum and median:`,
    commandTable(measured),
    `From its start to the handshake, our provider takes ${started("ours")} ms of CPU, compiled ${started("ours, compiled")} ms, and the twin ${started("Go")} ms.`,
    `From this number of endpoints on, our provider takes less CPU than the twin with its logs. ${crossovers(measured, "ours")}. Compiled: ${crossovers(measured, "ours, compiled")}.`,
    "Peak memory of the provider while it plans, in MB:",
    rows(
      ["endpoints", "ours", "ours, compiled", "Go"],
      memory.map(({ count, peak }) => [
        String(count),
        fixed(peak.get("ours")),
        fixed(peak.get("ours, compiled")),
        fixed(peak.get("Go")),
      ]),
    ),
    `${machine} Runs in turn: ${commands.map(({ count, runs }) => `${runs} of ${count}`).join(", ")}.`,
  ].join("\n\n");
}

function commandTable({ commands }: AgainstGo): string {
  const body = commands.flatMap(({ count, times }) =>
    [...times].map(([command, byContender]) => {
      const cpu = (name: ContenderName) => byContender.get(name)?.cpu;
      const ratio = (name: ContenderName): string =>
        ((cpu(name)?.median ?? Number.NaN) / (cpu("Go")?.median ?? Number.NaN)).toFixed(2);
      return [
        String(count),
        command,
        ...contenders.map(({ name }) => both(cpu(name))),
        ratio("ours"),
        ratio("ours, compiled"),
      ];
    }),
  );
  const labels = contenders.map(({ label }) => label);
  return rows(["endpoints", "command", ...labels, "ours / Go", "compiled / Go"], body);
}

function crossovers({ commands }: AgainstGo, name: ContenderName): string {
  const found = commandNames.map((command) => {
    const points = commands.flatMap(({ count, times }) => {
      const cpu = times.get(command);
      const [ours, theirs] = [cpu?.get(name)?.cpu.median, cpu?.get("Go")?.cpu.median];
      return ours === undefined || theirs === undefined ? [] : [{ count, ours, theirs }];
    });
    return `${command}: ${crossover(points) ?? "none"}`;
  });
  return found.join("; ");
}

const fixed = (value: number | undefined): string => (value ?? Number.NaN).toFixed(0);

const both = (value: { readonly min: number; readonly median: number } | undefined): string =>
  `${fixed(value?.min)} / ${fixed(value?.median)}`;

function rows(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---:")), ...body.map(line)].join("\n");
}
