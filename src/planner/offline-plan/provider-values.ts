import type { Properties } from "../../core/json/plain-json";
import type { ObjectType, SchemaBlock } from "../../core/provider-kit/core";
import {
  type Codec,
  type CtyRecord,
  type CtyType,
  type CtyValue,
  decodeJson,
  DynamicValue,
  isCtyRecord,
  partOf,
} from "../../core/provider-kit/values";
import { UNKNOWN } from "../../core/schema";
import { isOpen } from "../expression/types";
import { isNumber, NotKnown, type UnknownReason, Value } from "../expression/value";

/** Converts a value to the form that the protocol encodes, without marks. */
export function toCty(value: Value, type: CtyType = value.type): CtyValue {
  if (type === "dynamic" && value.type !== "dynamic") {
    return new DynamicValue(value.type, toCty(value, value.type));
  }
  const { content } = value;
  if (content === null) return null;
  if (content instanceof NotKnown) return UNKNOWN;
  if (typeof content === "string" || typeof content === "boolean" || isNumber(content)) {
    return content;
  }
  if (Array.isArray(content)) {
    return value.elements().map((element, at) => toCty(element, typeAt(type, at)));
  }
  return Object.assign(
    Object.create(null) as object,
    Object.fromEntries(
      [...value.members()].map(([name, member]) => [name, toCty(member, typeAt(type, name))]),
    ),
  ) as CtyValue;
}

/** Converts a decoded value. Unknown parts get the reasons that `reasonsOf` returns for their paths. */
export function fromCty(
  type: CtyType,
  value: CtyValue,
  reasonsOf: (path: readonly string[]) => readonly UnknownReason[],
  path: readonly string[] = [],
): Value {
  if (value instanceof DynamicValue) return fromCty(value.type, value.value, reasonsOf, path);
  if (value === UNKNOWN) return Value.unknown(type, ...reasonsOf(path));
  if (value === null || typeof value === "string" || typeof value === "boolean") {
    return new Value(type, value);
  }
  if (isNumber(value as Value["content"])) return new Value(type, value as Value["content"]);
  if (Array.isArray(value)) {
    return new Value(
      type,
      (value as readonly CtyValue[]).map((each, at) =>
        fromCty(typeAt(type, at), each, reasonsOf, [...path, String(at)]),
      ),
    );
  }
  const members = isCtyRecord(value) ? Object.entries(value) : [];
  const parts = new Map(
    members.map(([name, each]) => [
      name,
      fromCty(typeAt(type, name), each, reasonsOf, [...path, name]),
    ]),
  );
  // Where the schema leaves the type open, the value decides it.
  const isObject = typeof type === "object" && "object" in type;
  return isObject && isOpen(type) ? Value.object(parts) : new Value(type, parts);
}

const typeAt = (type: CtyType, step: string | number): CtyType => partOf(type, step) ?? "dynamic";

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

/** A schema in the form of Terraform's core. */
export const typeOf = (name: string, schema: CompiledSchema): ObjectType => ({
  name,
  schema: schema.block,
  // The codec refuses values that do not match the type.
  encode: (values) => ({ msgpack: schema.codec.encode(values as CtyValue) }),
  decode: (message) => plainIn(schema, message),
});

/** A value in the form of Terraform's core, without marks and reasons. */
export function plainOf({ block }: CompiledSchema, value: Value): CtyRecord | null {
  const plain = toCty(value, block.type);
  return isCtyRecord(plain) ? plain : null;
}

export const encoded = ({ codec, block }: CompiledSchema, value: Value) => ({
  msgpack: codec.encode(toCty(value, block.type)),
  json: new Uint8Array(),
});

/** Decodes a value of a response; undefined if it is missing or null. */
export function decoded(
  schema: CompiledSchema,
  message: Message | undefined,
  reasonsOf: (path: readonly string[]) => readonly UnknownReason[] = () => [],
): Value | undefined {
  const plain = plainIn(schema, message);
  return plain && valueOf(schema, plain, reasonsOf);
}

/** Converts a value from the form of Terraform's core. */
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
  // Only states are JSON. Like Terraform, this drops attributes that are no longer in the schema.
  const value =
    msgpack.length > 0
      ? codec.decode(msgpack)
      : decodeJson(block.type, json, { ignoresOthers: true });
  return isCtyRecord(value) ? value : undefined;
}
