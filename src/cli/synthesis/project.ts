import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "../../core/json/parse-json";
import { isJsonError } from "../../core/json/read-json";
import { isObject, parsedJson, type Properties } from "../../core/json/plain-json";
import { CommandError } from "../invocation/failure";

/** The content of a project's `cdktf.json`. cdktn projects have the same file. */
export interface Project {
  readonly folder: string;
  /** The shell command that synthesizes the stacks. */
  readonly app: string;
  /** The folder for the synthesized stacks, as written in the file. @default cdktf.out */
  readonly output: string;
  /** Values for `node.tryGetContext`. */
  readonly context: Properties | undefined;
  /** The local modules, whose paths the library changes. */
  readonly relativeModules: readonly unknown[];
}

/** @throws CommandError if there is no valid `cdktf.json` with an app */
export async function readProject(folder: string): Promise<Project> {
  const file = join(folder, "cdktf.json");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) {
    throw new CommandError(
      `There is no cdktf.json in ${folder}.`,
      "Run this in the folder of a cdktf or cdktn project.",
    );
  }
  const settings = parsed(text);
  if (settings === undefined) {
    throw new CommandError(
      `${file}${syntaxProblem(text) ?? " is not a JSON object"}.`,
      "Correct the file.",
    );
  }
  const { app, output, context, terraformModules } = settings;
  if (typeof app !== "string" || app.trim() === "") {
    throw new CommandError(
      `${file} does not say how to synthesize the stacks.`,
      'Add the command as "app", such as "npx ts-node main.ts".',
    );
  }
  return {
    folder,
    app,
    output: typeof output === "string" && output !== "" ? output : "cdktf.out",
    context: isObject(context) ? context : undefined,
    relativeModules: (Array.isArray(terraformModules) ? terraformModules : []).filter(isRelative),
  };
}

function parsed(text: string): Properties | undefined {
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}

/** Returns where and why a file is not JSON, to be appended to its name; undefined if it is JSON. */
function syntaxProblem(text: string): string | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    if (!isJsonError(error)) throw error;
    const before = text.slice(0, error.at ?? 0).split("\n");
    return `:${before.length}:${(before.at(-1)?.length ?? 0) + 1}: ${error.message}`;
  }
}

function isRelative(module: unknown): boolean {
  const source = isObject(module) ? module["source"] : module;
  return typeof source === "string" && /^\.\.?\//.test(source);
}
