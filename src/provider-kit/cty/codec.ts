import { asBuffer } from "../wire/grpc/utf8";
import {
  boolNode,
  decimalNode,
  describe,
  int64Node,
  neverNull,
  type Node,
  numberNode,
  stringNode,
  withNullAndUnknown,
} from "./codec-node";
import { listNode, mapNode, setNode, tupleNode } from "./codec-collection";
import { objectNode } from "./codec-object";
import { MsgpackReader } from "./msgpack-reader";
import { MsgpackWriter } from "./msgpack-writer";
import { type CtyType, typeFromJson, typeToJson } from "./type";
import { type CtyValue, DynamicValue } from "./value";

/**
 * Encodes and decodes the values of one type in Terraform's msgpack format.
 *
 * @see
 * {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/object-wire-format.md}
 */
export interface Codec {
  /** @throws CtyError when the value does not match the type */
  readonly encode: (value: CtyValue) => Uint8Array;
  /** @throws CtyError when the bytes are malformed or do not match the type */
  readonly decode: (bytes: Uint8Array) => CtyValue;
}

const minCapacity = 64;

/** Creates the codec of a type. Create it once per type and keep it. */
export function compile(type: CtyType): Codec {
  const node = compileNode(type);
  let capacity = minCapacity;
  return {
    encode(value) {
      const writer = new MsgpackWriter(capacity);
      node.encode(writer, value);
      // The next value of the same type is probably about as long.
      capacity = Math.max(minCapacity, Math.ceil(writer.offset * 1.25));
      return writer.finish();
    },
    decode(bytes) {
      const reader = new MsgpackReader(asBuffer(bytes));
      const value = node.decode(reader);
      reader.finish();
      return value;
    },
  };
}

function compileNode(type: CtyType): Node {
  switch (type) {
    case "string":
      return stringNode;
    case "number":
      return numberNode;
    case "decimal":
      return decimalNode;
    case "int64":
      return int64Node;
    case "bool":
      return boolNode;
    case "dynamic":
      return dynamicNode;
    default:
      if ("list" in type) return listNode(compileNode(type.list));
      if ("set" in type) return setNode(compileNode(type.set));
      if ("map" in type) return mapNode(compileNode(type.map));
      if ("tuple" in type) return tupleNode(type.tuple.map(compileNode));
      return objectNode(
        type.object.map((field) => ({
          wire: field.wire,
          name: field.name,
          node:
            field.neverNull === true ? neverNull(compileNode(field.type)) : compileNode(field.type),
        })),
      );
  }
}

const maxKnownTypes = 200;
const knownTypes = new Map<string, { readonly type: CtyType; readonly node: Node }>();

/** The codec of dynamic values. They are encoded as an array of the type's JSON descriptor and the value. */
const dynamicNode = withNullAndUnknown({
  encode(writer, value) {
    if (!(value instanceof DynamicValue)) {
      throw writer.fail(
        `expected a value with its type, such as DynamicValue.of(value), got ${describe(value)}`,
      );
    }
    writer.arrayHeader(2);
    writer.binary(Buffer.from(typeToJson(value.type)));
    // Not a known type: the type's property names may differ from Terraform's.
    writer.enter("value");
    compileNode(value.type).encode(writer, value.value);
    writer.leave();
  },
  decode(reader) {
    const count = reader.arrayHeader("a dynamic value");
    if (count !== 2) throw reader.fail(`a dynamic value must have 2 parts, found ${count}`);
    const { type, node } = readType(reader);
    reader.enter("value");
    const value = node.decode(reader);
    reader.leave();
    return new DynamicValue(type, value);
  },
});

function readType(reader: MsgpackReader) {
  const json = reader.binary().toString("utf8");
  const known = knownTypes.get(json);
  if (known !== undefined) return known;
  try {
    const type = typeFromJson(json);
    const read = { type, node: compileNode(type) };
    if (knownTypes.size === maxKnownTypes) knownTypes.clear();
    knownTypes.set(json, read);
    return read;
  } catch (error) {
    throw reader.locate(error);
  }
}
