import { describe, type Node, withNullAndUnknown } from "./codec-node";
import type { MsgpackWriter } from "./msgpack-writer";
import { type CtyValue, isCtyRecord, isList } from "./value";

export function listNode(element: Node): Node {
  return withNullAndUnknown({
    encode(writer, value) {
      if (!isList(value)) throw writer.fail(`expected a list, got ${describe(value)}`);
      writer.arrayHeader(value.length);
      writeElements(writer, element, value);
    },
    decode: (reader) => {
      const count = reader.arrayHeader("a list");
      const values: CtyValue[] = [];
      for (let index = 0; index < count; index += 1) {
        reader.enter(index);
        values.push(element.decode(reader));
        reader.leave();
      }
      return values;
    },
  });
}

/**
 * Creates the codec of a set. It encodes sets without duplicates, sorted by their bytes, so that
 * equal sets have equal bytes.
 */
export function setNode(element: Node): Node {
  return withNullAndUnknown({
    encode(writer, value) {
      if (!isList(value)) throw writer.fail(`expected a set, got ${describe(value)}`);
      if (value.length < 2) {
        writer.arrayHeader(value.length);
        writeElements(writer, element, value);
        return;
      }
      const distinct = encodeDistinct(writer, element, value);
      writer.arrayHeader(distinct.length);
      for (const bytes of distinct) writer.raw(bytes);
    },
    decode: listNode(element).decode,
  });
}

/** Creates the codec of a map. Keys are encoded in sorted order. */
export function mapNode(element: Node): Node {
  return withNullAndUnknown({
    encode(writer, value) {
      if (!isCtyRecord(value)) throw writer.fail(`expected a map, got ${describe(value)}`);
      const keys = Object.keys(value).sort();
      writer.mapHeader(keys.length);
      for (const key of keys) {
        writer.string(key);
        writer.enter(key);
        element.encode(writer, value[key]);
        writer.leave();
      }
    },
    decode(reader) {
      const count = reader.mapHeader("a map");
      const values = Object.create(null) as Record<string, CtyValue>;
      for (let index = 0; index < count; index += 1) {
        const key = reader.string();
        reader.enter(key);
        if (key in values) throw reader.fail("the key occurs twice");
        values[key] = element.decode(reader);
        reader.leave();
      }
      return values;
    },
  });
}

export function tupleNode(elements: readonly Node[]): Node {
  const expected = `a tuple of ${elements.length} elements`;
  return withNullAndUnknown({
    encode(writer, value) {
      if (!isList(value)) throw writer.fail(`expected ${expected}, got ${describe(value)}`);
      if (value.length !== elements.length) {
        throw writer.fail(`expected ${expected}, got ${value.length}`);
      }
      writer.arrayHeader(elements.length);
      for (const [index, element] of elements.entries()) {
        writer.enter(index);
        element.encode(writer, value[index]);
        writer.leave();
      }
    },
    decode(reader) {
      const count = reader.arrayHeader(expected);
      if (count !== elements.length) throw reader.fail(`expected ${expected}, found ${count}`);
      return elements.map((element, index) => {
        reader.enter(index);
        const value = element.decode(reader);
        reader.leave();
        return value;
      });
    },
  });
}

function writeElements(writer: MsgpackWriter, element: Node, values: readonly CtyValue[]): void {
  for (let index = 0; index < values.length; index += 1) {
    writer.enter(index);
    element.encode(writer, values[index]);
    writer.leave();
  }
}

/** Keeps duplicates with unknown parts, because they may turn out to be different. */
function encodeDistinct(
  writer: MsgpackWriter,
  element: Node,
  values: readonly CtyValue[],
): readonly Buffer[] {
  const start = writer.offset;
  const encoded = values.map((value, index) => {
    const unknownsBefore = writer.unknownCount;
    writer.offset = start;
    writer.enter(index);
    element.encode(writer, value);
    writer.leave();
    return { bytes: writer.copyFrom(start), isKnown: writer.unknownCount === unknownsBefore };
  });
  writer.offset = start;
  encoded.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  return encoded
    .filter(({ bytes, isKnown }, index) => {
      const previous = encoded[index - 1];
      return previous === undefined || !isKnown || !bytes.equals(previous.bytes);
    })
    .map(({ bytes }) => bytes);
}
