import { cp, lstat, readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { itemsIn } from "../../../core/hcl/configuration-blocks";
import { codeOf } from "../../../core/hcl/template-sequences";
import { isVariableFile, variableFiles } from "../../../core/hcl/variable-files";
import { asSeen } from "../../../core/workspace/product/platform-versions";
import { localPlatformError } from "./local-platform-error";

/** The size of the largest archive of a template that the platform accepts, in bytes. */
const archiveLimit = 1024 * 1024;

/** Checks whether a file is packed: it is not hidden, except for the dependency lock file, and no state. */
const isPacked = (name: string): boolean =>
  name === ".terraform.lock.hcl" || !(name.startsWith(".") || name.includes(".tfstate"));

/**
 * Copies the packed files of a template to an empty folder. Links are left out: the platform gets only their names.
 *
 * @returns the links
 */
export async function copyTemplate(template: string, folder: string): Promise<readonly string[]> {
  await rm(folder, { recursive: true, force: true });
  const links: string[] = [];
  await cp(template, folder, {
    recursive: true,
    dereference: false,
    filter: async (source) => {
      if (source === template) return true;
      if (!isPacked(basename(source))) return false;
      const isLink = (await lstat(source)).isSymbolicLink();
      if (isLink) links.push(relative(template, source));
      return !isLink;
    },
  });
  return links.sort();
}

export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

const block = 512;

/**
 * Measures the archive of a template, and each file or folder in it, the largest first.
 *
 * @see https://www.gnu.org/software/tar/manual/html_node/Standard.html
 */
export async function templateArchive(folder: string) {
  // The platform's tool sends the values of variables instead.
  const names = (await readdir(folder)).filter((name) => isPacked(name) && !isVariableFile(name));
  const parts = await Promise.all(
    names.map(async (name) => ({ name, bytes: await packedBytes(join(folder, name)) })),
  );
  parts.sort((one, other) => other.bytes - one.bytes);
  // Two empty blocks end the archive.
  return { bytes: parts.reduce((all, { bytes }) => all + bytes, 2 * block), parts };
}

/** Returns the bytes of an entry with its header, including its content. */
async function packedBytes(path: string): Promise<number> {
  const found = await lstat(path);
  if (!found.isDirectory()) return block + (found.isFile() ? padded(found.size) : 0);
  const names = (await readdir(path)).filter(isPacked);
  const inside = await Promise.all(names.map((name) => packedBytes(join(path, name))));
  return inside.reduce((all, bytes) => all + bytes, block);
}

const padded = (bytes: number): number => Math.ceil(bytes / block) * block;

/** @throws LocalPlatformError if a template is too big for the platform */
export async function requireSmallArchive(folder: string): Promise<void> {
  const { bytes, parts } = await templateArchive(folder);
  if (bytes <= archiveLimit) return;
  const [largest] = parts;
  const most = largest === undefined ? "" : `, ${largest.name} takes ${largest.bytes} of them`;
  throw localPlatformError(
    "REFUSED",
    `Archive too big. Must be <= ${archiveLimit} bytes. The template takes ${bytes} bytes${most} (${asSeen("archive")}).`,
    {
      advice:
        largest?.name === "terraform.d"
          ? "Install only the provider that the template needs: delete terraform.d, and run `trivet install " +
            "--provider workspace --dir terraform.d/plugins` in the template's folder."
          : "Move large files out of the template: let the machine download them.",
    },
  );
}

interface Refused {
  readonly file: string;
  readonly name: string;
  /** In the platform's words. */
  readonly problem: string;
}

/**
 * Refuses values in `terraform.tfvars` and `*.auto.tfvars` that the platform's tool cannot send. It does not pack
 * these files, but sends their values as strings. In native syntax, it supports only strings, numbers and lists of
 * strings.
 *
 * @throws LocalPlatformError
 */
export async function requirePlainVariables(folder: string): Promise<void> {
  const names = (await variableFiles(folder).catch(() => [])).filter(
    (name) => !name.endsWith(".json"),
  );
  const files = names.map(async (file) =>
    refusedIn(file, await readFile(join(folder, file), "utf8")),
  );
  const [first] = (await Promise.all(files)).flat();
  if (first === undefined) return;
  throw localPlatformError(
    "REFUSED",
    `${first.file}: unable to parse HCL content: ${first.problem} (${asSeen("variableFiles")}).`,
    {
      advice: `Write "${first.name}" in a file ${first.file}.json, which the platform's tool accepts, or pass it with --var.`,
    },
  );
}

function refusedIn(file: string, text: string): readonly Refused[] {
  const code = codeOf(text, "expression");
  return itemsIn(text, code).flatMap(({ kind, name, start, end }) => {
    const value = code.slice(start, end).trimStart();
    const problem = kind === "argument" ? problemOf(name, value) : undefined;
    return problem === undefined ? [] : [{ file, name, problem }];
  });
}

/** Returns the problem with a value, in which spaces replace strings. */
function problemOf(name: string, value: string): string | undefined {
  const unsupported = (type: string) => `unsupported value type (name: ${name}): ${type}`;
  if (/^(?:true|false)\b/.test(value)) return unsupported("cty.Bool");
  if (/^null\b/.test(value)) return unsupported("cty.DynamicPseudoType");
  if (value.startsWith("{")) return unsupported("cty.Object");
  const item = /^\[[\s,]*([^\s,\]])/.exec(value);
  return item === null ? undefined : `unsupported tuple item type: ${value.split("\n")[0] ?? ""}`;
}
