import { fromCty, toCty } from "../expression/cty";
import type { UnknownReason, Value } from "../expression/value";
import type { Properties } from "../../core/json/plain-json";
import type { ObjectType, SchemaBlock } from "../../core/provider-kit/core";
import {
  type Codec,
  type CtyRecord,
  type CtyValue,
  decodeJson,
  isCtyRecord,
} from "../../core/provider-kit/values";

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
