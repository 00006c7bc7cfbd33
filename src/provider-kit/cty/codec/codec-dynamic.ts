import { UNKNOWN } from "../../../schema/unknown";
import { describe, type Node } from "./codec-node";
import type { MsgpackReader } from "./msgpack-reader";
import { typeFromJson, typeToJson } from "../type-json";
import type { CtyType } from "../type";
import { DynamicValue } from "../value";

const maxCachedTypes = 200;

/**
 * Creates the codec of dynamic values. They are encoded as an array of the type's JSON descriptor
 * and the value.
 *
 * @see
 * {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/object-wire-format.md}
 */
export function dynamicNode(compile: (type: CtyType) => Node): Node {
  const cache = new Map<string, { readonly type: CtyType; readonly node: Node }>();
  const lookUp = (json: string) => {
    let entry = cache.get(json);
    if (entry === undefined) {
      const type = typeFromJson(json);
      entry = { type, node: compile(type) };
      if (cache.size === maxCachedTypes) cache.clear();
      cache.set(json, entry);
    }
    return entry;
  };
  const readType = (reader: MsgpackReader) => {
    const json = reader.binary().toString("utf8");
    try {
      return lookUp(json);
    } catch (error) {
      throw reader.locate(error);
    }
  };
  return {
    encode(writer, value) {
      if (value === null || value === undefined) writer.nil();
      else if (value === UNKNOWN) writer.unknown();
      else if (value instanceof DynamicValue) {
        writer.arrayHeader(2);
        writer.binary(Buffer.from(typeToJson(value.type)));
        // Not from the cache: the type's property names may differ from Terraform's.
        writer.enter("value");
        compile(value.type).encode(writer, value.value);
        writer.leave();
      } else {
        throw writer.fail(
          `expected a value with its type, such as DynamicValue.of(value), got ${describe(value)}`,
        );
      }
    },
    decode(reader) {
      if (reader.takeNil()) return null;
      if (reader.takeUnknown()) return UNKNOWN;
      const count = reader.arrayHeader("a dynamic value");
      if (count !== 2) throw reader.fail(`a dynamic value must have 2 parts, found ${count}`);
      const { type, node } = readType(reader);
      reader.enter("value");
      const value = node.decode(reader);
      reader.leave();
      return new DynamicValue(type, value);
    },
  };
}
