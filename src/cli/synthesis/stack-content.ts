import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { nativeConstructs } from "../../planner/changes/construct-place";
import { isObject, parsedJson, type Properties, propertiesOf } from "../../core/json/plain-json";
import { joinedFiles, jsonOfNative } from "../../planner/offline-plan/native-syntax";
import { CommandError } from "../invocation/command-error";

/**
 * Reads the configuration in a folder as Terraform does: all files, in JSON or native syntax, as one object in Terraform's
 * JSON syntax.
 *
 * @throws CommandError if a file is not JSON
 */
export async function readStackContent(folder: string): Promise<Properties> {
  const names = (await readdir(folder)).filter((name) => /\.tf(?:\.json)?$/.test(name));
  const files = await Promise.all(
    names.sort(byOrder).map(async (name) => contentOf(join(folder, name))),
  );
  return withConstructPaths(joinedFiles(files));
}

/** Terraform reads the files that override others last. */
const byOrder = (one: string, other: string): number =>
  Number(isOverride(one)) - Number(isOverride(other)) || (one < other ? -1 : 1);

const isOverride = (name: string): boolean => /(?:^|_)override\.tf(?:\.json)?$/.test(name);

async function contentOf(path: string): Promise<Properties> {
  const text = await readFile(path, "utf8");
  if (!path.endsWith(".json")) return jsonOfNative(text);
  const json = parsedJson(text);
  if (json !== undefined) return propertiesOf(json);
  throw new CommandError(
    `${path} is not JSON.`,
    `Synthesize the stack again, or remove ${basename(path)}.`,
  );
}

/**
 * Adds the paths of their constructs to the blocks that a synthesis has written in native syntax, as all other blocks
 * have them.
 */
function withConstructPaths(content: Properties): Properties {
  const paths = propertiesOf(propertiesOf(content["//"])[nativeConstructs]);
  const data = { ...propertiesOf(content["data"]) };
  for (const [address, path] of Object.entries(paths)) {
    const [, type = "", name = ""] = address.split(".");
    const named = propertiesOf(data[type]);
    const body = named[name];
    if (!isObject(body)) continue;
    data[type] = { ...named, [name]: { ...body, "//": { metadata: { path } } } };
  }
  return Object.keys(paths).length === 0 ? content : { ...content, data };
}
