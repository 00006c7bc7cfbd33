import { fromCty, toCty } from "../expression/cty";
import type { UnknownReason, Value } from "../expression/value";
import type { Properties } from "../json/plain-json";
import {
  type CoreDiagnostic,
  type ObjectType,
  readDiagnostics,
  type SchemaBlock,
} from "../provider-kit/core";
import type { Diagnostic } from "../provider-kit/protocol";
import {
  type Codec,
  type CtyRecord,
  type CtyValue,
  decodeJson,
  formatPath,
  isCtyRecord,
} from "../provider-kit/values";

/** A problem that a provider, or the evaluation of a stack, has found. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  /** The path of the attribute, such as `option[0].name`. Undefined for the resource as a whole. */
  readonly attribute: string | undefined;
}

/** The schema of a type, with its codec. */
export interface CompiledSchema {
  readonly block: SchemaBlock;
  readonly version: number;
  readonly codec: Codec;
}

interface Message {
  readonly msgpack: Uint8Array;
  readonly json: Uint8Array;
}

/** The type of a schema, as Terraform's core uses it. */
export const typeOf = (name: string, schema: CompiledSchema): ObjectType => ({
  name,
  schema: schema.block,
  // The codec refuses values that do not match the type.
  encode: (values) => ({ msgpack: schema.codec.encode(values as CtyValue) }),
  decode: (message) => plainIn(schema, message),
});

/** A value without marks and reasons, as Terraform's core uses it; null if there is none. */
export function plainOf({ block }: CompiledSchema, value: Value): CtyRecord | null {
  const plain = toCty(value, block.type);
  return isCtyRecord(plain) ? plain : null;
}

/** Encodes a value for a request. */
export const encoded = ({ codec, block }: CompiledSchema, value: Value) => ({
  msgpack: codec.encode(toCty(value, block.type)),
  json: new Uint8Array(),
});

/** Decodes a value of a response; undefined if there is none, or if it is null. */
export function decoded(
  schema: CompiledSchema,
  message: Message | undefined,
  reasonsOf: (path: readonly string[]) => readonly UnknownReason[] = () => [],
): Value | undefined {
  const plain = plainIn(schema, message);
  return plain && valueOf(schema, plain, reasonsOf);
}

/** Converts what Terraform's core decides. */
export const valueOf = (
  { block }: CompiledSchema,
  plain: Properties,
  reasonsOf: (path: readonly string[]) => readonly UnknownReason[] = () => [],
): Value => fromCty(block.type, plain as CtyRecord, reasonsOf);

function plainIn(
  { codec, block }: CompiledSchema,
  message: Message | undefined,
): CtyRecord | undefined {
  if (message === undefined) return undefined;
  const { msgpack, json } = message;
  if (msgpack.length === 0 && json.length === 0) return undefined;
  // Only a state is JSON. Terraform leaves out what the schema no longer has.
  const value =
    msgpack.length > 0
      ? codec.decode(msgpack)
      : decodeJson(block.type, json, { ignoresOthers: true });
  return isCtyRecord(value) ? value : undefined;
}

/** Checks whether a finding is an error. */
export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity }) => severity === "error");

/** The problems in a response. */
export const findingsOf = (diagnostics: readonly Diagnostic[]): readonly Finding[] =>
  toFindings(readDiagnostics(diagnostics));

/** What a provider reports, and what Terraform's core reports about it. */
export const toFindings = (diagnostics: readonly CoreDiagnostic[]): readonly Finding[] =>
  diagnostics.map(({ severity, summary, detail, path }) => ({
    severity: severity === "WARNING" ? "warning" : "error",
    summary,
    detail,
    attribute: path && formatPath(path),
  }));
