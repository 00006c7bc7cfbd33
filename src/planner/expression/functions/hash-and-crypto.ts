import { createHash } from "node:crypto";
import type { TerraformFunction } from "../function";
import { EvaluationError } from "../value";
import { ofString, ofStrings, stringOf } from "./arguments";

const hash = (algorithm: string, encoding: "hex" | "base64"): TerraformFunction =>
  ofString("str", (text) => createHash(algorithm).update(text).digest(encoding));

/** The namespaces of RFC 4122 that have names in Terraform. */
const namespaces: Readonly<Record<string, string>> = {
  dns: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  url: "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
  oid: "6ba7b812-9dad-11d1-80b4-00c04fd430c8",
  x500: "6ba7b814-9dad-11d1-80b4-00c04fd430c8",
};

const identifier = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const identifierForm = new RegExp(
  `^(?:urn:uuid:${identifier}|\\{${identifier}\\}|${identifier}|[0-9a-f]{32})$`,
  "i",
);

/** An identifier that is made of a name (RFC 4122, version 5). */
function namedIdentifier(namespace: string, name: string): string {
  const parent = Object.hasOwn(namespaces, namespace) ? (namespaces[namespace] ?? "") : namespace;
  if (!identifierForm.test(parent)) {
    throw new EvaluationError("The namespace is neither a UUID nor dns, url, oid or x500.");
  }
  const bytes = createHash("sha1")
    .update(parent.replace(/^urn:uuid:/i, "").replace(/[{}-]/g, ""), "hex")
    .update(name)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/sha256} and its neighbours */
export const hashFunctions: Readonly<Record<string, TerraformFunction>> = {
  base64sha256: hash("sha256", "base64"),
  base64sha512: hash("sha512", "base64"),
  md5: hash("md5", "hex"),
  sha1: hash("sha1", "hex"),
  sha256: hash("sha256", "hex"),
  sha512: hash("sha512", "hex"),
  uuidv5: ofStrings(["namespace", "name"], "string", (namespace = "", name = "") =>
    stringOf(namedIdentifier(namespace, name)),
  ),
};
