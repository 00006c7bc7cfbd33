import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { hasCode } from "../../../core/process/system-error";
import type { TerraformFunction } from "../function";
import { EvaluationError, NotComputed, Value } from "../value";
import { maxElements, maxLength, ofString, ofStrings, stringOf } from "./arguments";
import { jsonFunctions } from "./json";
import { yamlencode } from "./yaml";

/** One field, and the character after it. A line break in quotes is part of the field. */
const field = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/y;

/** Splits CSV (RFC 4180) into records like Go, which skips empty lines. */
function recordsOf(text: string): readonly (readonly string[])[] {
  // Go drops a carriage return before a line feed, even in quotes.
  const lines = text.replace(/\r\n/g, "\n").replace(/\r$/, "");
  const records: string[][] = [];
  let record: string[] = [];
  field.lastIndex = 0;
  while (field.lastIndex < lines.length || record.length > 0) {
    if (record.length === 0 && lines[field.lastIndex] === "\n") {
      field.lastIndex += 1;
      continue;
    }
    const match = field.exec(lines);
    if (match === null) throw new EvaluationError("The string is not CSV.");
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === ",") continue;
    records.push(record);
    record = [];
    if (records.length > maxElements) throw new NotComputed();
  }
  return records;
}

function csvTable(text: string): Value {
  const [names, ...rows] = recordsOf(text);
  if (names === undefined) throw new EvaluationError("The CSV has no header line.");
  if (new Set(names).size < names.length) {
    throw new EvaluationError("Two columns of the CSV have the same name.");
  }
  const fields = names.map((name) => ({ wire: name, name, type: "string" as const }));
  const element = { object: fields };
  return Value.list(
    element,
    rows.map((row) => {
      if (row.length !== names.length)
        throw new EvaluationError("A line of the CSV has more or fewer fields than the header.");
      return new Value(element, new Map(names.map((name, at) => [name, stringOf(row[at] ?? "")])));
    }),
  );
}

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/csvdecode} */
const csvdecode = ofStrings(["str"], "dynamic", (text = "") => csvTable(text));

/** Like Go, requires padding and ignores line breaks. */
function fromBase64(text: string): Buffer {
  const packed = text.replace(/[\r\n]/g, "");
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) {
    throw new EvaluationError("The string is not base64.");
  }
  return Buffer.from(packed, "base64");
}

/** @param failure thrown for bytes that are not UTF-8 */
function utf8(bytes: Uint8Array, failure: Error): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw failure;
  }
}

const notUtf8 = (): EvaluationError => new EvaluationError("The decoded bytes are not UTF-8.");

/** Like Go's `url.QueryEscape`. */
const queryEscaped = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");

interface Encoding {
  readonly encode: (text: string) => Buffer;
  readonly decode: (bytes: Buffer) => string;
}

const utf16le: Encoding = {
  encode: (text) => Buffer.from(text, "utf16le"),
  decode: (bytes) => new TextDecoder("utf-16le", { fatal: true, ignoreBOM: true }).decode(bytes),
};

/** The encodings that are computed, by IANA name. */
const encodings: Readonly<Record<string, Encoding>> = {
  "utf-8": { encode: (text) => Buffer.from(text), decode: (bytes) => utf8(bytes, notUtf8()) },
  "utf-16le": utf16le,
  "utf-16be": {
    encode: (text) => utf16le.encode(text).swap16(),
    decode: (bytes) => {
      if (bytes.length % 2 === 1) throw new NotComputed();
      return utf16le.decode(Buffer.from(bytes).swap16());
    },
  },
};

function encodingOf(name: string): Encoding {
  const encoding = encodings[name.toLowerCase()];
  if (encoding === undefined) throw new NotComputed();
  return encoding;
}

function decodedText(source: string, name: string): string {
  const bytes = fromBase64(source);
  const encoding = encodingOf(name);
  try {
    const text = encoding.decode(bytes);
    if (!text.includes("\ufffd")) return text;
  } catch (error) {
    if (error instanceof NotComputed) throw error;
  }
  throw new EvaluationError("The bytes are not valid in this encoding.");
}

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/base64decode} and its neighbours */
export const encodingFunctions: Readonly<Record<string, TerraformFunction>> = {
  ...jsonFunctions,
  base64decode: ofString("str", (text) => utf8(fromBase64(text), notUtf8())),
  base64encode: ofString("str", (text) => Buffer.from(text).toString("base64")),
  csvdecode,
  textdecodebase64: ofStrings(["source", "encoding"], "string", (source = "", name = "") =>
    stringOf(decodedText(source, name)),
  ),
  textencodebase64: ofStrings(["string", "encoding"], "string", (text = "", name = "") =>
    stringOf(encodingOf(name).encode(text).toString("base64")),
  ),
  urlencode: ofString("str", queryEscaped),
  yamlencode,
};

/** Like Go's `url.QueryUnescape`. */
function queryUnescaped(text: string): string {
  if (/%(?![0-9A-Fa-f]{2})/.test(text))
    throw new EvaluationError("A percent sign is not followed by two hexadecimal digits.");
  const bytes = text
    .replaceAll("+", " ")
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((part, at) => (at % 2 === 1 ? Buffer.from(part.slice(1), "hex") : Buffer.from(part)));
  return utf8(Buffer.concat(bytes), new NotComputed());
}

function gunzipped(text: string): string {
  const packed = fromBase64(text);
  const bytes = unpacked(packed);
  // Node.js ignores what follows the compressed data, where Go fails or reads on.
  const length = packed.readUInt32LE(packed.length - 4);
  if (length === 0 || length !== bytes.length) throw new NotComputed();
  return utf8(bytes, new NotComputed());
}

function unpacked(packed: Buffer): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: maxLength });
  } catch (error) {
    // Go ignores undefined flags.
    const hasOtherFlags = packed[0] === 0x1f && (packed[3] ?? 0) > 0x1f;
    if (hasCode(error, "ERR_BUFFER_TOO_LARGE") || hasOtherFlags) throw new NotComputed();
    throw new EvaluationError("The decoded bytes are not gzip.");
  }
}

/** Functions of OpenTofu. Results that are not UTF-8 are not computed. */
export const otherEncodingFunctions: Readonly<Record<string, TerraformFunction>> = {
  base64gunzip: ofString("str", gunzipped),
  urldecode: ofString("str", queryUnescaped),
};

const hash = (algorithm: string, encoding: "hex" | "base64"): TerraformFunction =>
  ofString("str", (text) => createHash(algorithm).update(text).digest(encoding));

/** The namespaces of RFC 4122 with a name in Terraform. */
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

/** An identifier made from a name (RFC 4122, version 5). */
function namedIdentifier(namespace: string, name: string): string {
  const parent = Object.hasOwn(namespaces, namespace) ? (namespaces[namespace] ?? "") : namespace;
  if (!identifierForm.test(parent)) {
    throw new EvaluationError("The namespace must be a UUID, or one of dns, url, oid and x500.");
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
