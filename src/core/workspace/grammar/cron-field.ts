/** One kind of field in a cron expression: its bounds and the names of its numbers. */
export interface CronFieldKind {
  readonly min: number;
  readonly max: number;
  /** Lowercase names of consecutive numbers, starting at `min`. @default none */
  readonly names?: readonly string[];
}

interface CronField {
  readonly values: ReadonlySet<number>;
  /** True if it matches every value: `*` or `?` without a step other than 1. */
  readonly star: boolean;
}

const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const monthNames = [
  "jan",
  "feb",
  "mar",
  "apr",
  "may",
  "jun",
  "jul",
  "aug",
  "sep",
  "oct",
  "nov",
  "dec",
];

export const cronFields = {
  second: { min: 0, max: 59 },
  minute: { min: 0, max: 59 },
  hour: { min: 0, max: 23 },
  dayOfMonth: { min: 1, max: 31 },
  month: { min: 1, max: 12, names: monthNames },
  /** Sunday is 0, not 7. */
  weekday: { min: 0, max: 6, names: days },
} as const satisfies Record<string, CronFieldKind>;

const element = /^(?:([*?])|([a-z]+|\d+)(?:-([a-z]+|\d+))?)(?:\/(\d+))?$/i;

/**
 * Parses one field: a list of `*`, `?`, numbers, names and ranges, each with an optional step.
 *
 * `5/10` starts at 5 and goes to the end of the field. A range must be in ascending order.
 *
 * @returns undefined if the field is invalid
 */
export function parseCronField(text: string, kind: CronFieldKind): CronField | undefined {
  const values = new Set<number>();
  let star = false;
  for (const part of text.split(",")) {
    const matched = element.exec(part);
    if (matched === null) return undefined;
    const [, wildcard, first = "", last, stepText] = matched;
    const step = stepText === undefined ? 1 : Number(stepText);
    if (step === 0) return undefined;
    const start = wildcard === undefined ? numberOf(first, kind) : kind.min;
    const toTheEnd = wildcard !== undefined || stepText !== undefined;
    const endOfOne = toTheEnd ? kind.max : start;
    const end = last === undefined ? endOfOne : numberOf(last, kind);
    if (start === undefined || end === undefined) return undefined;
    if (start < kind.min || end > kind.max || start > end) return undefined;
    for (let value = start; value <= end; value += step) values.add(value);
    star ||= wildcard !== undefined && step === 1;
  }
  return { values, star };
}

function numberOf(text: string, { min, names = [] }: CronFieldKind): number | undefined {
  if (/^\d/.test(text)) return Number(text);
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? undefined : min + index;
}
