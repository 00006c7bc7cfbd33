import type { CtyType } from "../../../core/provider-kit/values";
import type { Parameter, TerraformFunction } from "../function";
import { NotComputed } from "../value";
import { anyParameter, numberParameter, stringParameter } from "./arguments";

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
