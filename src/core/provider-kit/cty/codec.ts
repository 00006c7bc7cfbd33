import { asBuffer } from "../wire/grpc/utf8";
import {
  boolNode,
  decimalNode,
  describe,
  int64Node,
  neverNull,
  type Node,
  nullAsEmpty,
  numberNode,
  stringNode,
  withNullAndUnknown,
} from "./codec-node";
import { listNode, mapNode, setNode, tupleNode } from "./codec-collection";
import { MsgpackReader } from "./msgpack-reader";
import { MsgpackWriter } from "./msgpack-writer";
import { type CtyField, type CtyType, typeFromJson, typeToJson } from "./type";
import { type CtyRecord, type CtyValue, DynamicValue, isCtyRecord, readProperty } from "./value";

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
          node: fieldNode(field),
        })),
      );
  }
}

function fieldNode({ type, neverNull: isNeverNull, nullIsEmpty }: CtyField): Node {
  const node = compileNode(type);
  if (isNeverNull === true) return neverNull(node);
  return nullIsEmpty === true ? nullAsEmpty(node) : node;
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

interface ObjectField {
  readonly wire: string;
  readonly name: string;
  readonly node: Node;
}

interface PreparedField extends ObjectField {
  readonly key: Buffer;
  readonly index: number;
}

/** Creates the codec of an object. It refuses missing and additional attributes. */
function objectNode(fields: readonly ObjectField[]): Node {
  const sorted: readonly PreparedField[] = fields
    .toSorted((a, b) => (a.wire < b.wire ? -1 : 1))
    .map((field, index) => ({ ...field, key: encodeKey(field.wire), index }));
  const byWire = new Map(sorted.map((field) => [field.wire, field]));
  const names = new Set(fields.map(({ name }) => name));

  return withNullAndUnknown({
    encode(writer, value) {
      if (!isCtyRecord(value)) throw writer.fail(`expected an object, got ${describe(value)}`);
      writer.mapHeader(sorted.length);
      for (const { name, key, node } of sorted) {
        writer.raw(key);
        writer.enter(name);
        node.encode(writer, readProperty(value, name));
        writer.leave();
      }
      refuseAdditional(writer, value, names);
    },
    decode(reader) {
      const count = reader.mapHeader("an object");
      const values: (CtyValue | undefined)[] = new Array<undefined>(sorted.length).fill(undefined);
      for (let position = 0; position < count; position += 1) {
        const expected = sorted[position];
        // Terraform sorts attributes by name, so the next one is nearly always the expected one.
        const field =
          expected !== undefined && reader.takeExactly(expected.key)
            ? expected
            : takeOtherField(reader, byWire);
        if (values[field.index] !== undefined) {
          throw reader.fail(`attribute ${JSON.stringify(field.wire)} occurs twice`);
        }
        reader.enter(field.wire);
        values[field.index] = field.node.decode(reader);
        reader.leave();
      }
      return toRecord(reader, sorted, values);
    },
  });
}

function takeOtherField(
  reader: MsgpackReader,
  byWire: ReadonlyMap<string, PreparedField>,
): PreparedField {
  const wire = reader.string();
  const field = byWire.get(wire);
  if (field === undefined) throw reader.fail(`unsupported attribute ${JSON.stringify(wire)}`);
  return field;
}

function toRecord(
  reader: MsgpackReader,
  fields: readonly PreparedField[],
  values: readonly (CtyValue | undefined)[],
): CtyRecord {
  const record: Record<string, CtyValue> = {};
  for (const { index, name, wire } of fields) {
    const value = values[index];
    if (value === undefined) throw reader.fail(`attribute ${JSON.stringify(wire)} is missing`);
    if (name === "__proto__") {
      const own = { value, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(record, name, own);
    } else record[name] = value;
  }
  return record;
}

/** Refuses a property without an attribute: it is probably misspelled, and Terraform would never receive it. */
function refuseAdditional(
  writer: MsgpackWriter,
  value: CtyRecord,
  names: ReadonlySet<string>,
): void {
  for (const name in value) {
    if (!names.has(name) && readProperty(value, name) !== undefined) {
      throw writer.fail(`unsupported attribute ${JSON.stringify(name)}`);
    }
  }
}

function encodeKey(wire: string): Buffer {
  const writer = new MsgpackWriter(wire.length + 8);
  writer.string(wire);
  return writer.finish();
}
