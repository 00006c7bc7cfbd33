import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { environmentVariables, variableFiles } from "../../core/hcl/variable-files";
import { isObject, parsedJson, type Properties } from "../../core/json/plain-json";
import { variablesOfNative } from "../../planner/offline-plan/native-syntax";
import { CommandError, ExitCode } from "../invocation/failure";

/** The options that set variables of stacks. */
interface VariableOptions {
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
}

/** Values of variables that are not in the folder of a stack. */
export interface GivenVariables {
  readonly environment: Properties;
  readonly options: Properties;
}

/**
 * Returns the values of `TF_VAR_*`, and those of options: of files, then of `--var`.
 *
 * @throws CommandError if a value or a file cannot be read
 */
export async function givenVariables(
  { var: given = [], varFile = [] }: VariableOptions,
  env: NodeJS.ProcessEnv,
): Promise<GivenVariables> {
  const files = await Promise.all(
    varFile.map(async (file) => (await variableFile(file)) ?? unreadable(file)),
  );
  const values = given.map((each) => {
    const at = each.indexOf("=");
    if (at >= 1) return { [each.slice(0, at)]: valueOf(each.slice(at + 1)) };
    throw new CommandError(
      `--var needs a name and a value, but got "${each.slice(0, 40)}".`,
      "Write --var name=value.",
      ExitCode.usage,
    );
  });
  return {
    environment: variablesIn(env),
    options: Object.assign({}, ...files, ...values) as Properties,
  };
}

function unreadable(file: string): never {
  throw new CommandError(
    `${file} is no file of variables.`,
    "Name a file with `name = value` lines, or a .json file with an object.",
    ExitCode.usage,
  );
}

/**
 * Returns the values of a stack's variables, in Terraform's order: the environment, `terraform.tfvars`, `*.auto.tfvars`,
 * each also in JSON, and options.
 */
export async function stackVariables(
  { environment, options }: GivenVariables,
  folder: string,
): Promise<Properties> {
  const names = await variableFiles(folder);
  const files = await Promise.all(names.map(async (name) => variableFile(join(folder, name))));
  return Object.assign({}, environment, ...files, options) as Properties;
}

/** Returns the values of `TF_VAR_*`. */
const variablesIn = (env: NodeJS.ProcessEnv): Properties =>
  Object.fromEntries(environmentVariables(env).map(([name, text]) => [name, valueOf(text)]));

/** Reads a value from the command line. A list or an object in JSON is read as such, anything else is a string. */
export function valueOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  return parsedJson(text) ?? text;
}

/** Reads a file of variables, in JSON or native syntax; undefined if it cannot be read. */
export async function variableFile(path: string): Promise<Properties | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  if (!path.endsWith(".json")) return variablesOfNative(text);
  const json = parsedJson(text);
  return isObject(json) ? json : undefined;
}
