import { type CommandName, type Contender, contenders } from "./contender";
import type { AgainstGo } from "./measure";

const panel = { width: 360, height: 280, left: 80, top: 62 };
const shown = ["plan", "apply"] as const satisfies readonly CommandName[];
const gap = 30;
const legend = { above: 68, row: 22, columns: 2, columnWidth: 320, below: 10 };
const title = "CPU of terraform plan and apply by the number of endpoints";
const axes = { x: "endpoints (logarithmic)", y: "CPU time, median (logarithmic)" };
const keyTop = panel.top + panel.height + legend.above;

/** A plot of the CPU of `plan` and `apply` over the number of endpoints, both logarithmic, as SVG. */
export function plot({ commands }: AgainstGo): string {
  const counts = commands.map(({ count }) => count);
  const all = commands.flatMap(({ times }) =>
    shown.flatMap((command) =>
      [...(times.get(command)?.values() ?? [])].map(({ cpu }) => cpu.median),
    ),
  );
  const x = scale([Math.min(...counts), Math.max(...counts)], [0, panel.width]);
  const y = scale(decades(all), [panel.height, 0]);
  const width = shown.length * (panel.left + panel.width) + gap * shown.length;
  const height = keyTop + Math.ceil(contenders.length / legend.columns) * legend.row + legend.below;
  const panels = shown.map((command, at) => {
    const left = panel.left + at * (panel.left + panel.width + gap);
    const lines = contenders.map(({ name, colour }) =>
      line(
        commands.flatMap(({ count, times }) => {
          const cpu = times.get(command)?.get(name)?.cpu;
          return cpu === undefined ? [] : [[x(count), y(cpu.median)] as const];
        }),
        colour,
      ),
    );
    return `<g transform="translate(${left} ${panel.top})">
<text x="0" y="-14" font-weight="bold">terraform ${command}</text>
${grid(counts, all, x, y)}
${lines.join("\n")}
<text x="${panel.width / 2}" y="${panel.height + 40}" text-anchor="middle" fill="#555555">${axes.x}</text>
<text transform="translate(-62 ${panel.height / 2}) rotate(-90)" text-anchor="middle" fill="#555555">${axes.y}</text>
</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="${panel.left}" y="24" font-size="15" font-weight="bold">${title}</text>
${panels.join("\n")}
${key(contenders)}
</svg>
`;
}

type Scale = (value: number) => number;

function scale(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): Scale {
  const span = Math.log10(high) - Math.log10(low) || 1;
  return (value) => round(from + ((Math.log10(value) - Math.log10(low)) / span) * (to - from));
}

/** The powers of ten around values. */
const decades = (values: readonly number[]): readonly [number, number] => [
  10 ** Math.floor(Math.log10(Math.min(...values))),
  10 ** Math.ceil(Math.log10(Math.max(...values))),
];

function grid(counts: readonly number[], values: readonly number[], x: Scale, y: Scale): string {
  const vertical = counts.map(
    (count) =>
      `<path d="M${x(count)} 0V${panel.height}" stroke="#e4e4e4"/><text x="${x(count)}" y="${panel.height + 18}" text-anchor="middle">${count}</text>`,
  );
  const [low, high] = decades(values);
  const horizontal: string[] = [];
  for (let ms = low; ms <= high; ms *= 10) {
    const label = ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
    horizontal.push(
      `<path d="M0 ${y(ms)}H${panel.width}" stroke="#e4e4e4"/><text x="-8" y="${y(ms) + 4}" text-anchor="end">${label}</text>`,
    );
  }
  return [...vertical, ...horizontal].join("\n");
}

function line(points: readonly (readonly [number, number])[], colour: string): string {
  const path = points.map(([px, py], at) => `${at === 0 ? "M" : "L"}${px} ${py}`).join("");
  const dots = points.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="3" fill="${colour}"/>`);
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join("")}`;
}

function key(all: readonly Contender[]): string {
  return all
    .map(({ label, colour }, at) => {
      const [left, y] = [
        panel.left + (at % legend.columns) * legend.columnWidth,
        keyTop + Math.floor(at / legend.columns) * legend.row,
      ];
      const text = label.replaceAll("`", "");
      return `<rect x="${left}" y="${y - 9}" width="18" height="4" fill="${colour}"/><text x="${left + 26}" y="${y - 2}">${text}</text>`;
    })
    .join("\n");
}

const round = (value: number): number => Math.round(value * 10) / 10;
