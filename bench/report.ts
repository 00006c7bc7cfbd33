import type { Sample } from "./sample";

/** One figure of the report. */
export interface Figure {
  readonly what: string;
  readonly value: Sample;
  readonly unit: "ms" | "µs" | "MB" | "×";
  /** The counterpart of the figure, or how it is measured. */
  readonly against: string;
  /** The upper limit, in the same unit. @default none */
  readonly target?: number | undefined;
}

const digits = { ms: 1, µs: 1, MB: 1, "×": 2 } as const;

/** What users notice first, by the start of a figure's name. */
const noticed = [
  "ids: start to handshake, CPU above",
  "ids: import",
  "workspace: import",
  "signing: import",
  "ids: build and synth of 1000",
  "workspace: build and synth of 1000",
  "signing: build and synth of 1000",
  "`trivet check`",
  "from save to plan of 100 endpoints",
  "offline plan of 1000 endpoints",
  "ids: `terraform` plan of 1 ×",
  "ids: `terraform` plan of 1000 ×",
  "workspace: `terraform` apply of 1 ×",
  "ids: plan of 1, provider memory",
  "ids: plan of 1000, provider memory",
  "signing: a signature",
  "signing: a verification",
  "signing: copy of 500 MB between two registries",
];

/** Why targets are missed, by the start of a figure's name. */
const missedTargets: Readonly<Record<string, string>> = {
  "ids: plan of 1000, provider CPU":
    "About half is the cost of calls that do nothing, and more than half of the total is V8, which optimizes the code meanwhile: among ten thousand, an endpoint takes a third of it.",
  "ids: import":
    "A stack with an endpoint loads 75 files, most of which check values and the stack. As one file they would take 5 ms less, but the packages for cdktf and cdktn could not share it.",
  "signing: import":
    "A stack with a signature loads the same checks, and the rules for names of images.",
  "workspace: import":
    "An agent and an app load more rules: those of scripts, parameters and the whole template.",
  "ids: build of":
    "Checking an endpoint costs more than creating its binding, and V8 compiles the checks during the first thousand. The synthesis saves more than that.",
  "offline plan of 1000 endpoints without expressions":
    "Terraform needs little for endpoints whose values are all literal, and differs most from run to run.",
  "signing: copy":
    "The time is that of the registry, the hash and the disk, which both programs need.",
  "ids: acceptance test":
    "Terraform alone needs about 50 ms of CPU for each of the 35 commands, whatever they do.",
};

/** Formats figures for the page: what users notice first, missed targets, then all figures. */
export function page(figures: readonly Figure[]): string {
  const first = figures.filter(({ what }) => noticed.some((each) => what.startsWith(each)));
  const missed = figures.filter(isMissed).map(sentence);
  const misses = missed.length === 0 ? "" : `\n\nTargets that are missed:\n\n${missed.join("\n")}`;
  if (first.length === 0 || first.length === figures.length) return `${table(figures)}${misses}`;
  return `${table(first)}${misses}

<details>
<summary>All ${figures.length} figures</summary>

${table(figures)}

</details>`;
}

export const noReason = "The reason is not known.";

/** The names of figures that miss their target without a reason in {@link missedTargets}. */
export const unexplained = (figures: readonly Figure[]): string[] =>
  figures.filter((each) => isMissed(each) && reasonOf(each) === undefined).map(({ what }) => what);

const isMissed = ({ value, unit, target }: Figure): boolean =>
  target !== undefined && Number(value.median.toFixed(digits[unit])) > target;

const reasonOf = ({ what }: Figure): string | undefined =>
  Object.entries(missedTargets).find(([start]) => what.startsWith(start))?.[1];

function sentence(figure: Figure): string {
  const { what, value, unit, target } = figure;
  const found = `${value.median.toFixed(digits[unit])} ${unit}`;
  return `- ${what}: ${found}, not ${target}. ${reasonOf(figure) ?? noReason}`;
}

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

/** A row of {@link table}. */
const row = /^\| +(.+?) +\| +([\d.]+) +\| +([\d.]+) +\| × +\|[^|]*\| +(.+?) +\| +\d+ +\|$/gm;

/** Drops the counterpart's time, which differs from run to run. */
const named = (what: string, against: string): string =>
  `${what}, compared with ${against.replace(/: [\d.,]+ ms$/, "")}`;

/**
 * Lists the ratios that are more than a tenth worse than in an earlier report. Times are not compared: they depend on
 * the machine. The minimum must be worse, too: a median varies with the load.
 */
export function worse(figures: readonly Figure[], report: string): string[] {
  const before = new Map(
    [...report.matchAll(row)].map(([, what = "", median, min, against = ""]) => [
      named(what, against),
      { median: Number(median), min: Number(min) },
    ]),
  );
  return figures.flatMap(({ what, value, unit, against }) => {
    const name = named(what, against);
    const then = before.get(name);
    if (unit !== "×" || then === undefined) return [];
    const isWorse = value.median > then.median * 1.1 && value.min > then.min * 1.1;
    return isWorse
      ? [`${name}: ${value.median.toFixed(2)}, and ${then.median.toFixed(2)} in the last table`]
      : [];
  });
}
