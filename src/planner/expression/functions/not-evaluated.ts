import type { CtyType } from "../../../core/provider-kit/values";
import type { Parameter, TerraformFunction } from "../function";
import { NotComputed } from "../value";
import { anyParameter, numberParameter, stringParameter } from "./arguments";

interface Declaration {
  readonly reason: string;
  readonly parameters: readonly Parameter[];
  readonly rest?: Parameter;
  readonly returns: CtyType;
}

const impure = "its result is another one with each call";
const reads = "it reads files";
const expensive = "it is slow on purpose, and random";
const template = "it evaluates a template";
const bytes = "its result depends on the implementation of the compression";
const yaml = "YAML has many forms";

const other = "only OpenTofu has it";

const path = stringParameter("path");

const ofPath = (returns: CtyType): Declaration => ({ reason: reads, parameters: [path], returns });

const declarations: Readonly<Record<string, Declaration>> = {
  base64gunzip: { reason: other, parameters: [stringParameter("str")], returns: "string" },
  base64gzip: { reason: bytes, parameters: [stringParameter("str")], returns: "string" },
  bcrypt: {
    reason: expensive,
    parameters: [stringParameter("str")],
    rest: numberParameter("cost"),
    returns: "string",
  },
  cidrcontains: {
    reason: other,
    parameters: [stringParameter("containing_prefix"), stringParameter("contained_ip_or_prefix")],
    returns: "bool",
  },
  file: ofPath("string"),
  filebase64: ofPath("string"),
  filebase64sha256: ofPath("string"),
  filebase64sha512: ofPath("string"),
  fileexists: ofPath("bool"),
  filemd5: ofPath("string"),
  fileset: {
    reason: reads,
    parameters: [path, stringParameter("pattern")],
    returns: { set: "string" },
  },
  filesha1: ofPath("string"),
  filesha256: ofPath("string"),
  filesha512: ofPath("string"),
  plantimestamp: { reason: impure, parameters: [], returns: "string" },
  rsadecrypt: {
    reason: "it decrypts secrets",
    parameters: [stringParameter("ciphertext"), stringParameter("privatekey")],
    returns: "string",
  },
  templatefile: { reason: template, parameters: [path, anyParameter("vars")], returns: "dynamic" },
  templatestring: {
    reason: template,
    parameters: [stringParameter("template"), anyParameter("vars")],
    returns: "string",
  },
  timestamp: { reason: impure, parameters: [], returns: "string" },
  urldecode: { reason: other, parameters: [stringParameter("str")], returns: "string" },
  uuid: { reason: impure, parameters: [], returns: "string" },
  yamldecode: { reason: yaml, parameters: [stringParameter("src")], returns: "dynamic" },
};

const entries = Object.entries(declarations);

/** The functions that are not computed, each with the reason. Their results are not known. */
export const notEvaluated: ReadonlyMap<string, string> = new Map(
  entries.map(([name, { reason }]) => [name, reason]),
);

/** The same functions, which check their arguments. */
export const notEvaluatedFunctions: Readonly<Record<string, TerraformFunction>> =
  Object.fromEntries(
    entries.map(([name, declaration]) => [
      name,
      {
        ...declaration,
        call: () => {
          throw new NotComputed();
        },
      },
    ]),
  );
