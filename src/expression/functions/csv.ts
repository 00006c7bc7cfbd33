import type { TerraformFunction } from "../function";
import { EvaluationError, NotComputed, Value } from "../value";
import { maxElements, ofStrings, stringOf } from "./arguments";

const fault = (): EvaluationError => new EvaluationError("The string is not CSV.");

/** One field, and the character after it. A line break in quotes is part of the field. */
const field = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/y;

/** Splits CSV (RFC 4180) into records, as Go does: empty lines are no records. */
function recordsOf(text: string): readonly (readonly string[])[] {
  // Go drops a carriage return before a line feed, also inside quotes.
  const lines = text.replace(/\r\n/g, "\n").replace(/\r$/, "");
  const records: string[][] = [];
  let record: string[] = [];
  field.lastIndex = 0;
  while (field.lastIndex < lines.length || record.length > 0) {
    if (record.length === 0 && lines[field.lastIndex] === "\n") {
      field.lastIndex += 1;
      continue;
    }
    const match = field.exec(lines);
    if (match === null) throw fault();
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === ",") continue;
    records.push(record);
    record = [];
    if (records.length > maxElements) throw new NotComputed();
  }
  return records;
}

function decoded(text: string): Value {
  const [names, ...rows] = recordsOf(text);
  if (names === undefined) throw new EvaluationError("The header line is missing.");
  if (new Set(names).size < names.length) {
    throw new EvaluationError("Two columns have the same name.");
  }
  const fields = names.map((name) => ({ wire: name, name, type: "string" as const }));
  const element = { object: fields };
  return Value.list(
    element,
    rows.map((row) => {
      if (row.length !== names.length)
        throw new EvaluationError("A line has a wrong number of fields.");
      return new Value(element, new Map(names.map((name, at) => [name, stringOf(row[at] ?? "")])));
    }),
  );
}

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/csvdecode} */
export const csvdecode: TerraformFunction = ofStrings(["str"], "dynamic", (text = "") =>
  decoded(text),
);
