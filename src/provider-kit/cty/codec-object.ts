import { describe, type Node, withNullAndUnknown } from "./codec-node";
import type { MsgpackReader } from "./msgpack-reader";
import { MsgpackWriter } from "./msgpack-writer";
import { type CtyRecord, type CtyValue, isCtyRecord, readProperty } from "./value";

/** One attribute of an object, with its codec. */
interface ObjectField {
  /** The attribute's name in Terraform. */
  readonly wire: string;
  /** The property's name in JavaScript. */
  readonly name: string;
  readonly node: Node;
}

interface PreparedField extends ObjectField {
  readonly key: Buffer;
  readonly index: number;
}

/** Creates the codec of an object. Unknown and missing attributes are refused. */
export function objectNode(fields: readonly ObjectField[]): Node {
  const sorted: readonly PreparedField[] = fields
    .toSorted((a, b) => (a.wire < b.wire ? -1 : 1))
    .map((field, index) => ({ ...field, key: encodeKey(field.wire), index }));
  const byWire = new Map(sorted.map((field) => [field.wire, field]));
  const names = new Set(fields.map(({ name }) => name));

  const decodeAttribute = (reader: MsgpackReader, field: PreparedField) => {
    reader.enter(field.wire);
    const value = field.node.decode(reader);
    reader.leave();
    return value;
  };

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
        // Terraform sorts attributes by name, so the next attribute is nearly always the expected
        // one.
        const field =
          expected !== undefined && reader.takeExactly(expected.key)
            ? expected
            : takeOtherField(reader, byWire);
        if (values[field.index] !== undefined) throw repeatedAttribute(reader, field);
        values[field.index] = decodeAttribute(reader, field);
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

function repeatedAttribute(reader: MsgpackReader, field: PreparedField) {
  return reader.fail(`attribute ${JSON.stringify(field.wire)} occurs twice`);
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

/**
 * Refuses a property without an attribute: it is most likely misspelled, and Terraform would never receive
 * it.
 */
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
