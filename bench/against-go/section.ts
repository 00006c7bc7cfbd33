import { commandNames, contenders } from "./contender";
import { crossover } from "./crossover";
import type { AgainstGo } from "./measure";

/** The section of the page about performance, in Markdown. */
export function section(measured: AgainstGo, machine: string): string {
  const { twin, start, commands, memory } = measured;
  const ours = start.get("ours");
  const go = start.get("Go");
  return [
    `The twin is ${twin.sizeMb.toFixed(0)} MB, built by ${twin.madeWith}. CPU of all processes in milliseconds, minimum and median:`,
    commandTable(measured),
    `From its start to the handshake, our provider takes ${both(ours)} ms of CPU, and the twin ${both(go)} ms.`,
    crossovers(measured),
    "Peak memory of the provider while it plans, in MB:",
    rows(
      ["endpoints", "ours", "Go"],
      memory.map(({ count, peak }) => [
        String(count),
        fixed(peak.get("ours")),
        fixed(peak.get("Go")),
      ]),
    ),
    `${machine} Runs in turn: ${commands.map(({ count, runs }) => `${runs} of ${count}`).join(", ")}.`,
  ].join("\n\n");
}

function commandTable({ commands }: AgainstGo): string {
  const body = commands.flatMap(({ count, times }) =>
    commandNames.map((command) => {
      const cpu = (name: (typeof contenders)[number]["name"]) => times[command].get(name)?.cpu;
      const ratio = (cpu("ours")?.median ?? Number.NaN) / (cpu("Go")?.median ?? Number.NaN);
      return [
        String(count),
        command,
        ...contenders.map(({ name }) => both(cpu(name))),
        ratio.toFixed(2),
      ];
    }),
  );
  const labels = contenders.map(({ label }) => label);
  return rows(["endpoints", "command", ...labels, "ours / Go"], body);
}

function crossovers({ commands }: AgainstGo): string {
  const found = commandNames.map((command) => {
    const points = commands.map(({ count, times }) => ({
      count,
      ours: times[command].get("ours")?.cpu.median ?? Number.NaN,
      theirs: times[command].get("Go")?.cpu.median ?? Number.NaN,
    }));
    return `${command}: ${crossover(points) ?? "none"}`;
  });
  return `From this number of endpoints on, our provider takes less CPU than the twin with its logs. ${found.join("; ")}.`;
}

const fixed = (value: number | undefined): string => (value ?? Number.NaN).toFixed(0);

const both = (value: { readonly min: number; readonly median: number } | undefined): string =>
  `${fixed(value?.min)} / ${fixed(value?.median)}`;

function rows(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---:")), ...body.map(line)].join("\n");
}
