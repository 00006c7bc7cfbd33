import { isJsonObject, type JsonValue } from "../../json/plain-json";
import { plainForm } from "../../json/parse-json";
import { isJsonError, readJson } from "../../json/read-json";

/** A number that loses digits in a statement. */
interface ImpreciseNumber {
  /** Names and indexes, such as `builds[0].id`. */
  readonly path: string;
  readonly given: string;
  /** The number in the statement. */
  readonly written: string;
}

// Fewer digits are always exact, unless the exponent is extreme.
const mayLose = /\d[\d.]{15}|[eE][+-]?\d{3}/;
const maxListed = 10;

/** The first 10 numbers that lose digits, because statements contain doubles; none if the string is not JSON. */
export function impreciseNumbers(json: string): readonly ImpreciseNumber[] {
  if (!mayLose.test(json)) return [];
  const marks = new Map<string, string>();
  try {
    return find(markedNumbers(json, marks), marks).slice(0, maxListed);
  } catch (error) {
    if (isJsonError(error)) return [];
    throw error;
  }
}

/** Parses JSON. Replaces a number that loses digits with a key of `marks`, a string that JSON cannot contain. */
function markedNumbers(json: string, marks: Map<string, string>): JsonValue {
  return readJson(json, {
    ...plainForm,
    number: (digits) => {
      const value = Number(digits);
      if (decimal(digits) === decimal(String(value))) return value;
      const mark = `\ud800${marks.size}`;
      marks.set(mark, digits);
      return mark;
    },
  });
}

function find(root: JsonValue, marks: ReadonlyMap<string, string>): readonly ImpreciseNumber[] {
  const found: ImpreciseNumber[] = [];
  const visit = (value: JsonValue, path: string): void => {
    if (found.length === maxListed) return;
    const given = typeof value === "string" ? marks.get(value) : undefined;
    if (given !== undefined) {
      found.push({ path, given: given.slice(0, 60), written: String(Number(given)) });
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        visit(member, path === "" ? name : `${path}.${name}`);
      }
    } else if (Array.isArray(value)) {
      (value as readonly JsonValue[]).forEach((item, index) => {
        visit(item, `${path}[${index}]`);
      });
    }
  };
  visit(root, "");
  return found;
}

/** The digits without outer zeros, and the exponent: the same for equal numbers. */
function decimal(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === "") return text;
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return "0";
  const power = Number(exponent) - fraction.length + (all.length - digits.length);
  return `${sign}${digits}e${power}`;
}
