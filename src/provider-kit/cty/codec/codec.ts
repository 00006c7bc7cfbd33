import { asBuffer } from "../../wire/grpc/utf8";
import { listNode, mapNode, setNode, tupleNode } from "./codec-collection";
import { dynamicNode } from "./codec-dynamic";
import { neverNull, type Node } from "./codec-node";
import { objectNode } from "./codec-object";
import { boolNode, decimalNode, int64Node, numberNode, stringNode } from "./codec-primitive";
import { MsgpackReader } from "./msgpack-reader";
import { MsgpackWriter } from "./msgpack-writer";
import type { CtyType } from "../type";
import type { CtyValue } from "../value";

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
      return anyNode;
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

const anyNode = dynamicNode(compileNode);
