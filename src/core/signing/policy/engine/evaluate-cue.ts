import { serverMessage } from "../../../http/server-message";
import { isJsonObject, type JsonValue } from "../../../json/plain-json";
import { parseJson } from "../../../json/parse-json";
import { type EngineRun, jsonIn, type ProgramAnswer, refuses, undecided } from "./run-engine";

/** The fields that an input can have, of an attestation and of a whole policy, also in a cluster. */
const inputFields: ReadonlySet<string> = new Set(
  "_type subject predicateType predicate authorityMatches config spec metadata typemeta".split(" "),
);

const name = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const string = String.raw`(?<!#)(#*)("""|'''|"|')(?:\\[^]|(?!\2\1)[^])*(?:\2\1|$)`;
const label = String.raw`[\p{L}\p{N}_$]|\s*[?!]?:`;
/** Comments, strings, and names that are neither labels nor selected from something. */
const lexemes = new RegExp(
  String.raw`//[^\n]*|${string}|(?<![.\p{L}\p{N}_$#])${name}(?!${label})`,
  "gu",
);

/**
 * True for a field at the top of a policy that no input can have, and to which the policy refers, such as a point in time
 * with which it compares. Any other field may be a misspelled name of a field that the input should have.
 */
export function isHelper(field: string, policy: string): boolean {
  if (inputFields.has(field)) return false;
  return [...policy.matchAll(lexemes)].some(([lexeme, hashes, quote]) => {
    if (quote === undefined) return lexeme === field;
    const [, ...interpolated] = lexeme.split(`\\${hashes ?? ""}(`);
    const names = interpolated.flatMap((each) => each.match(new RegExp(name, "gu")) ?? []);
    return names.includes(field);
  });
}

/** The files that `cue` reads, and how it is called. */
export const cuePolicyFile = "policy.cue";
export const cueInputFile = "input.json";
const files = [cuePolicyFile, cueInputFile];
export const vetArguments: readonly string[] = ["vet", "-c", ...files];
export const policyArguments: readonly string[] = ["vet", "-c=false", cuePolicyFile];
export const evalArguments: readonly string[] = ["eval", ...files];
export const unionArguments: readonly string[] = ["export", "--out", "json", ...files];

/**
 * Reads the answer of `cue vet`, which prints nothing if the input satisfies the policy. All values must be known.
 *
 * @see https://cuelang.org/docs/reference/command/cue-help-vet/
 */
export function cueAnswer(run: EngineRun): ProgramAnswer {
  if ("problem" in run) return undecided(`cue ${run.problem}`);
  const said = serverMessage(`${run.errors} ${run.output}`.replaceAll("./", ""));
  if (run.code === 0 && said === "") return { isCompliant: true };
  if (run.code === 0) return undecided(`cue printed ${JSON.stringify(said)}`);
  return refuses(`is not satisfied: ${said === "" ? `cue ended with ${run.code}` : said}`);
}

/** Reads the answer of `cue eval`, which prints the union. As for the policy controller, values may be unknown. */
export const evalAnswer = (run: EngineRun): ProgramAnswer =>
  cueAnswer("problem" in run || run.code !== 0 ? run : { ...run, output: "" });

type Path = readonly (string | number)[];

/** The size of a union: that of the input, indented, and what the policy adds. */
export const unionMaxBytes = (input: string): number => 4 * input.length + 1_000_000;

/** The fields that only the policy has set, by the union of the policy and the input that `cue export` printed. */
export function addedFields(
  run: EngineRun,
  input: string,
): { readonly paths: readonly Path[] } | { readonly problem: string } {
  if ("problem" in run) return { problem: `cannot be evaluated: cue ${run.problem}` };
  const union = jsonIn(run.output);
  if (run.code !== 0 || union === undefined) {
    const said = serverMessage(run.errors.replaceAll("./", "")) || `cue ended with ${run.code}`;
    return { problem: `cannot be evaluated: ${said}` };
  }
  return { paths: added(parseJson(input), union, []) };
}

function added(own: JsonValue, union: JsonValue, path: Path): readonly Path[] {
  if (isJsonObject(own) && isJsonObject(union)) {
    return Object.entries(union).flatMap(([name, value]) => {
      const there = [...path, name];
      const before = Object.hasOwn(own, name) ? own[name] : undefined;
      return before === undefined ? [there] : added(before, value, there);
    });
  }
  if (!isList(own) || !isList(union)) return [];
  return union.flatMap((value, index) => {
    const before = own[index];
    return before === undefined ? [[...path, index]] : added(before, value, [...path, index]);
  });
}

/** An input that conflicts with the policy in a field that only the policy has: `cue` then prints where it is set. */
export function withConflict(input: string, path: Path): string {
  // A value that policies are unlikely to have.
  const conflict = [{ "not in the input": [] }];
  return JSON.stringify(changed(parseJson(input), path, conflict));
}

function changed(value: JsonValue, [step, ...rest]: Path, to: JsonValue): JsonValue {
  if (step === undefined) return to;
  if (isList(value)) {
    return value.map((each, index) => (index === step ? changed(each, rest, to) : each));
  }
  const own = isJsonObject(value) ? value : {};
  return { ...own, [step]: changed(own[step] ?? null, rest, to) };
}

/** The line of the policy in the errors of `cue vet`. */
export function lineOf(run: EngineRun): number | undefined {
  const [, line] =
    ("problem" in run ? undefined : /\bpolicy\.cue:(\d+):\d+/.exec(run.errors + run.output)) ?? [];
  return line === undefined ? undefined : Number(line);
}

const maxListed = 5;

/** Explains that a policy sets fields that the input lacks. The line is that of the first. */
export function describeAdded(paths: readonly Path[], line: number | undefined): string {
  const names = paths.slice(0, maxListed).map((path) => serverMessage(path.join(".")));
  const more = paths.length > maxListed ? `, and ${paths.length - maxListed} more` : "";
  const where = line === undefined ? "" : ` in line ${line}`;
  return `is not satisfied: the input has no ${names.join(", ")}${more}, which the policy sets${where}`;
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
