import type { TerraformFunction } from "../function";
import { EvaluationError, NotComputed } from "../value";
import { ofString, ofStrings, stringOf } from "./arguments";
import { csvdecode } from "./csv";
import { jsonFunctions } from "./json";
import { yamlencode } from "./yaml";

/** As Go decodes it: with padding, and line breaks anywhere. */
function fromBase64(text: string): Buffer {
  const packed = text.replace(/[\r\n]/g, "");
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) {
    throw new EvaluationError("The string is not base64.");
  }
  return Buffer.from(packed, "base64");
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EvaluationError("The decoded bytes are not UTF-8.");
  }
}

/** As Go's `url.QueryEscape` does. */
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

/** The encodings that are computed, by their names in the registry of IANA. */
const encodings: Readonly<Record<string, Encoding>> = {
  "utf-8": { encode: (text) => Buffer.from(text), decode: utf8 },
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
  throw new EvaluationError("The bytes are not defined for this encoding.");
}

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/base64decode} and its neighbours */
export const encodingFunctions: Readonly<Record<string, TerraformFunction>> = {
  ...jsonFunctions,
  base64decode: ofString("str", (text) => utf8(fromBase64(text))),
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
