import { posix } from "node:path";
import type { CtyType } from "../../../core/provider-kit/values";
import type { Parameter, TerraformFunction } from "../function";
import { NotComputed } from "../value";
import { anyParameter, numberParameter, ofString, stringParameter } from "./arguments";

/** A function that checks its arguments, and whose result is not known. */
export const notEvaluated = (signature: Omit<TerraformFunction, "call">): TerraformFunction => ({
  ...signature,
  call: () => {
    throw new NotComputed();
  },
});

const open = (returns: CtyType, ...parameters: readonly Parameter[]): TerraformFunction =>
  notEvaluated({ parameters, returns });

const path = stringParameter("path");
const str = stringParameter("str");
const vars = anyParameter("vars");

/** The functions that are not computed here. */
export const notEvaluatedFunctions: Readonly<Record<string, TerraformFunction>> = {
  // The result depends on the implementation of the compression.
  base64gzip: open("string", str),
  // YAML has many forms.
  yamldecode: open("dynamic", stringParameter("src")),
  // They read files.
  file: open("string", path),
  filebase64: open("string", path),
  filebase64sha256: open("string", path),
  filebase64sha512: open("string", path),
  fileexists: open("bool", path),
  filemd5: open("string", path),
  fileset: open({ set: "string" }, path, stringParameter("pattern")),
  filesha1: open("string", path),
  filesha256: open("string", path),
  filesha512: open("string", path),
  // They evaluate templates.
  templatefile: open("dynamic", path, vars),
  templatestring: open("string", stringParameter("template"), vars),
  // Each call has another result; the first one is also slow on purpose.
  bcrypt: { ...open("string", str), rest: numberParameter("cost") },
  plantimestamp: open("string"),
  timestamp: open("string"),
  uuid: open("string"),
  // It decrypts secrets.
  rsadecrypt: open("string", stringParameter("ciphertext"), stringParameter("privatekey")),
};

/** As Go's `filepath.Clean` does, for the paths of all systems but Windows. */
function cleaned(path: string): string {
  const normal = posix.normalize(path);
  return normal.length > 1 ? normal.replace(/\/$/, "") : normal;
}

function base(path: string): string {
  if (path === "") return ".";
  return path.replace(/\/+$/, "").split("/").at(-1) ?? "";
}

/** The path, if it is the same in the folder and for the user of Terraform. */
function fixed(path: string, isFixed: boolean): string {
  if (!isFixed) throw new NotComputed();
  return path;
}

/** The functions of paths. Those that read files are not computed. */
export const filesystemFunctions: Readonly<Record<string, TerraformFunction>> = {
  abspath: ofString("path", (path) => cleaned(fixed(path, path.startsWith("/")))),
  basename: ofString("path", (path) => base(path) || "/"),
  dirname: ofString("path", (path) => cleaned(path.slice(0, path.lastIndexOf("/") + 1))),
  pathexpand: ofString("path", (path) => fixed(path, !path.startsWith("~"))),
};
