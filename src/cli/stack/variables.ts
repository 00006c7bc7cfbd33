import { readFile } from "node:fs/promises";
import { isObject, parsedJson } from "../../json/plain-json";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";

/** The options that set variables of stacks. */
interface VariableOptions {
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
}

/**
 * Returns the values of variables: those of `TF_VAR_*`, then of files, then of `--var`.
 *
 * @throws CommandError if a value or a file cannot be read
 */
export async function variablesOf(
  { var: given = [], varFile = [] }: VariableOptions,
  env: NodeJS.ProcessEnv,
): Promise<Readonly<Record<string, unknown>>> {
  const values = variablesIn(env);
  for (const file of varFile) Object.assign(values, await valuesIn(file));
  for (const each of given) {
    const at = each.indexOf("=");
    if (at < 1) {
      throw new CommandError(
        `--var needs a name and a value, but got "${each.slice(0, 40)}".`,
        "Write --var name=value.",
        ExitCode.usage,
      );
    }
    values[each.slice(0, at)] = valueOf(each.slice(at + 1));
  }
  return values;
}

/** Returns the values of `TF_VAR_*`. */
export function variablesIn(env: NodeJS.ProcessEnv): Record<string, unknown> {
  const found = Object.entries(env).flatMap(([name, value]) =>
    name.startsWith("TF_VAR_") && value !== undefined ? [[name.slice(7), valueOf(value)]] : [],
  );
  return Object.fromEntries(found) as Record<string, unknown>;
}

/** Reads a value from the command line. A list or an object in JSON is read as such, anything else is a string. */
export function valueOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  return parsedJson(text) ?? text;
}

async function valuesIn(file: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const json = text === undefined ? undefined : parsedJson(text);
  if (isObject(json)) return json;
  throw new CommandError(
    `${file} ${text === undefined ? "cannot be read" : "is not a JSON object"}.`,
    "trivet check reads files of variables in JSON, such as values.tfvars.json.",
  );
}
