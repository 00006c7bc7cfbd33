import type { Sample } from "./sample";

/** One figure of the report. */
export interface Figure {
  readonly what: string;
  readonly value: Sample;
  readonly unit: "ms" | "µs" | "MB" | "×";
  /** What the figure is compared with, or how it is measured. */
  readonly against: string;
  /** The upper limit, in the same unit. @default none */
  readonly target?: number | undefined;
}

const digits = { ms: 1, µs: 1, MB: 1, "×": 2 } as const;

/** Formats figures as a Markdown table. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, value, unit, against, target }) => {
    const show = (number: number): string => number.toFixed(digits[unit]);
    const wanted = target === undefined ? "" : `≤ ${target}`;
    return `| ${what} | ${show(value.median)} | ${show(value.min)} | ${unit} | ${wanted} | ${against} | ${value.runs} |`;
  });
  return [
    "| figure | median | min | unit | target | against | runs |",
    "|---|---:|---:|---|---|---|---:|",
    ...rows,
  ].join("\n");
}
