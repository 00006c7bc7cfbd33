import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { environmentVariables, variableFiles } from "../../core/hcl/variable-files";
import { isObject, parsedJson, type Properties } from "../../core/json/plain-json";
import { readConfiguration } from "../../planner/offline-plan/configuration";
import { variablesOfNative } from "../../planner/offline-plan/native-syntax";
import { secretsOf } from "../../planner/offline-plan/planner";
import { StackSecrets } from "../../planner/offline-plan/stack-secrets";
import { CommandError, ExitCode } from "../invocation/failure";

/** The options that set variables of stacks. */
interface VariableOptions {
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
}

/** Values of variables from outside the folder of a stack. */
export interface GivenVariables {
  readonly environment: Properties;
  readonly options: Properties;
}

/**
 * Returns the values of `TF_VAR_*`, and of the options: `--var-file`, then `--var`.
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
      `--var must be name=value (got "${each.slice(0, 40)}").`,
      "Write for example --var size=3.",
      ExitCode.usage,
    );
  });
  const environment = environmentVariables(env).map(([name, text]) => [name, valueOf(text)]);
  return {
    environment: Object.fromEntries(environment) as Properties,
    options: Object.assign({}, ...files, ...values) as Properties,
  };
}

function unreadable(file: string): never {
  throw new CommandError(
    `${file} is not a file with variables.`,
    "Pass a file with lines like `name = value`, or a .json file with an object.",
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

/** Reads a value from the command line: a list or an object in JSON, otherwise a string. */
export function valueOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  return parsedJson(text) ?? text;
}

/** Reads a file of variables, in JSON or native syntax; undefined if it cannot be read. */
async function variableFile(path: string): Promise<Properties | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  if (!path.endsWith(".json")) return variablesOfNative(text);
  const json = parsedJson(text);
  return isObject(json) ? json : undefined;
}

/**
 * Returns the sensitive values of a stack that are known before its plan: those of its variables, and of the expressions that
 * use them. They are redacted in the messages of providers, which quote values.
 *
 * @param content the configuration of the stack
 * @param options the options of `terraform plan`, in their order
 */
export async function knownSecrets(
  content: Properties,
  folder: string,
  options: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<StackSecrets> {
  const configuration = readConfiguration(content);
  const isSensitive = [...configuration.variables.values()].some(
    ({ sensitive }) => sensitive === true,
  );
  if (!isSensitive) return new StackSecrets();
  const { environment } = await givenVariables({}, env);
  const given: Record<string, unknown> = {};
  for (const [at, option] of options.entries()) {
    const [, name, value = options[at + 1] ?? ""] =
      /^--?(var|var-file)(?:=([^]*))?$/.exec(option) ?? [];
    const [, variable = "", text = ""] = /^([^=]*)=([^]*)$/.exec(value) ?? [];
    if (name === "var") given[variable] = valueOf(text);
    // Terraform reports what is wrong with a file.
    else if (name === "var-file") Object.assign(given, await variableFile(resolve(folder, value)));
  }
  return await secretsOf(
    configuration,
    await stackVariables({ environment, options: given }, folder),
  );
}
