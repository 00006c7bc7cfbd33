import { fromCty, toCty } from "../expression/cty";
import type { UnknownReason, Value } from "../expression/value";
import type { Diagnostic } from "../provider-kit/protocol";
import { type Codec, decodeJson, formatPath } from "../provider-kit/values";
import type { SchemaBlock } from "./provider-schema";

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

/** Encodes a value for a request. */
export const encoded = ({ codec, block }: CompiledSchema, value: Value) => ({
  msgpack: codec.encode(toCty(value, block.type)),
  json: new Uint8Array(),
});

/** Decodes a value of a response; undefined if there is none, or if it is null. */
export function decoded(
  { codec, block }: CompiledSchema,
  message: { readonly msgpack: Uint8Array; readonly json: Uint8Array } | undefined,
  reasonsOf: (path: readonly string[]) => readonly UnknownReason[] = () => [],
): Value | undefined {
  if (message === undefined) return undefined;
  const { msgpack, json } = message;
  if (msgpack.length === 0 && json.length === 0) return undefined;
  // Only a state is JSON. Terraform leaves out what the schema no longer has.
  const value =
    msgpack.length > 0
      ? codec.decode(msgpack)
      : decodeJson(block.type, json, { ignoresOthers: true });
  return value === null ? undefined : fromCty(block.type, value, reasonsOf);
}

/** The steps of a path in a response. */
export const stepsOf = ({ steps }: NonNullable<Diagnostic["attribute"]>) =>
  steps.map((step) => step.attributeName ?? step.elementKeyString ?? Number(step.elementKeyInt));

/** Checks whether a finding is an error. */
export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity }) => severity === "error");

/** The problems in a response. */
export const findingsOf = (diagnostics: readonly Diagnostic[]): readonly Finding[] =>
  diagnostics.map(({ severity, summary, detail, attribute }) => ({
    severity: severity === "WARNING" ? "warning" : "error",
    summary,
    detail,
    attribute: attribute && formatPath(stepsOf(attribute)),
  }));
