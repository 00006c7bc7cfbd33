import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { itemsIn } from "../../../core/hcl/configuration-blocks";
import { codeOf } from "../../../core/hcl/template-sequences";
import { variableFiles } from "../../../core/hcl/variable-files";
import { LocalPlatformError } from "./local-platform-error";
import { asSeen } from "../../../core/workspace/product/platform-versions";

interface Refused {
  readonly file: string;
  readonly name: string;
  /** In the platform's words. */
  readonly problem: string;
}

/**
 * Refuses values in `terraform.tfvars` and `*.auto.tfvars` that the platform's tool cannot send. Instead of
 * packing these files, it reads the values and sends them as strings. In native syntax, it supports only
 * strings, numbers and lists of strings. Terraform would accept all values.
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
  throw new LocalPlatformError(
    "REFUSED",
    `${first.file}: unable to parse HCL content: ${first.problem} (${asSeen("variableFiles")}).`,
    `Write "${first.name}" in a file ${first.file}.json, which the platform's tool accepts, or pass it with --var.`,
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

/** Finds the problem of a value. Its code has spaces in place of strings. */
function problemOf(name: string, value: string): string | undefined {
  const unsupported = (type: string) => `unsupported value type (name: ${name}): ${type}`;
  if (/^(?:true|false)\b/.test(value)) return unsupported("cty.Bool");
  if (/^null\b/.test(value)) return unsupported("cty.DynamicPseudoType");
  if (value.startsWith("{")) return unsupported("cty.Object");
  const item = /^\[[\s,]*([^\s,\]])/.exec(value);
  return item === null ? undefined : `unsupported tuple item type: ${value.split("\n")[0] ?? ""}`;
}
