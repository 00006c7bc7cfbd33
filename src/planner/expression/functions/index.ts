import { posix } from "node:path";
import type { CtyType } from "../../../core/provider-kit/values";
import { convert } from "../convert";
import type { Parameter, TerraformFunction } from "../function";
import { NotComputed, Value } from "../value";
import {
  anyParameter,
  numberParameter,
  ofString,
  openParameter,
  stringParameter,
} from "./arguments";
import { elementFunctions } from "./collection-elements";
import { listFunctions } from "./collection-lists";
import { mapFunctions } from "./collection-maps";
import { setFunctions } from "./collection-sets";
import { dateFunctions } from "./date-and-time";
import { encodingFunctions, hashFunctions, otherEncodingFunctions } from "./encoding";
import { cidrcontains, ipNetworkFunctions } from "./ip-network";
import { numericFunctions } from "./numeric";
import { stringFunctions } from "./string";

/** A function that checks its arguments, but has no known result. */
const notEvaluated = (signature: Omit<TerraformFunction, "call">): TerraformFunction => ({
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

const notEvaluatedFunctions: Readonly<Record<string, TerraformFunction>> = {
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
  // Each call returns a different value; bcrypt is also slow by design.
  bcrypt: { ...open("string", str), rest: numberParameter("cost") },
  plantimestamp: open("string"),
  timestamp: open("string"),
  uuid: open("string"),
  // It decrypts secrets.
  rsadecrypt: open("string", stringParameter("ciphertext"), stringParameter("privatekey")),
};

/** Like Go's `filepath.Clean`, except on Windows. */
function cleaned(path: string): string {
  const normal = posix.normalize(path);
  return normal.length > 1 ? normal.replace(/\/$/, "") : normal;
}

function base(path: string): string {
  if (path === "") return ".";
  return path.replace(/\/+$/, "").split("/").at(-1) ?? "";
}

/** Returns a path that depends neither on Terraform's working folder nor on its user. */
function fixed(path: string, isFixed: boolean): string {
  if (!isFixed) throw new NotComputed();
  return path;
}

const filesystemFunctions: Readonly<Record<string, TerraformFunction>> = {
  abspath: ofString("path", (path) => cleaned(fixed(path, path.startsWith("/")))),
  basename: ofString("path", (path) => base(path) || "/"),
  dirname: ofString("path", (path) => cleaned(path.slice(0, path.lastIndexOf("/") + 1))),
  pathexpand: ofString("path", (path) => fixed(path, !path.startsWith("~"))),
};

const to = (type: CtyType): TerraformFunction => ({
  parameters: [openParameter("v")],
  returns: type,
  call: ([value = Value.null()]) => {
    const found = convert(value, type);
    // Terraform drops the type of the elements here.
    return found.isKnown ? found : new Value(type, found.content, found.isSensitive);
  },
});

const ofAny = (call: (value: Value) => Value): TerraformFunction => ({
  parameters: [openParameter("value")],
  returns: ([value]) => value?.type ?? "dynamic",
  call: ([value = Value.null()]) => call(value),
});

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/tolist} and its neighbours */
const conversionFunctions: Readonly<Record<string, TerraformFunction>> = {
  // Ephemeral values are never known here.
  ephemeralasnull: ofAny((value) => value),
  issensitive: ofAny((value) =>
    value.isKnown || value.isSensitive
      ? Value.bool(value.isSensitive)
      : Value.unknown("bool", ...value.reasons()),
  ),
  nonsensitive: ofAny((value) => value.marked(false)),
  sensitive: ofAny((value) => value.marked(true)),
  tobool: to("bool"),
  tolist: to({ list: "dynamic" }),
  tomap: to({ map: "dynamic" }),
  tonumber: to("number"),
  toset: to({ set: "dynamic" }),
  tostring: to("string"),
};

/**
 * The functions of Terraform 1.11, except for `can` and `try`, whose arguments are not evaluated before the call.
 *
 * @see {@link https://developer.hashicorp.com/terraform/language/functions}
 */
export const terraformFunctions: ReadonlyMap<string, TerraformFunction> = new Map(
  [
    elementFunctions,
    listFunctions,
    mapFunctions,
    setFunctions,
    dateFunctions,
    encodingFunctions,
    filesystemFunctions,
    hashFunctions,
    ipNetworkFunctions,
    numericFunctions,
    stringFunctions,
    conversionFunctions,
    notEvaluatedFunctions,
  ].flatMap((functions) => Object.entries(functions)),
);

export const openTofuFunctions: ReadonlyMap<string, TerraformFunction> = new Map(
  Object.entries({ cidrcontains, ...otherEncodingFunctions }),
);

/** The functions of OpenTofu for a stack whose program is not known: their results are unknown. */
export const undecidedFunctions: ReadonlyMap<string, TerraformFunction> = new Map(
  [...openTofuFunctions].map(([name, each]) => [name, notEvaluated(each)]),
);
