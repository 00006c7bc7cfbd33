import { expectWireType, type Field, type SingularField } from "./protobuf-field";
import { type ProtobufReader, WireType } from "./protobuf-reader";
import { string } from "./protobuf-scalar";

/** A map with string keys. The decoded record has no prototype, so any string is a valid key. */
export function map<Out, In>(
  number: number,
  value: SingularField<Out, In>,
): Field<Readonly<Record<string, Out>>, Readonly<Record<string, In>>> {
  const key = string(1);
  const readEntry = (reader: ProtobufReader, entries: Record<string, Out>) => {
    let name = "";
    let entry: Out | undefined;
    while (reader.offset < reader.end) {
      const tag = reader.uint32();
      if (tag >>> 3 === 1) name = key.read(reader, tag & 7, name);
      else if (tag >>> 3 === 2) {
        expectWireType(number, value.wireType, tag & 7);
        entry = value.readElement(reader, entry);
      } else reader.skip(tag & 7);
    }
    entries[name] = entry ?? value.initialElement();
  };
  return {
    number,
    initial: () => Object.create(null) as Record<string, Out>,
    read(reader, actual, previous: Record<string, Out>) {
      expectWireType(number, WireType.bytes, actual);
      reader.nested(() => {
        readEntry(reader, previous);
      });
      return previous;
    },
    write(writer, entries) {
      for (const [name, entry] of Object.entries(entries).reverse()) {
        const before = writer.length;
        value.writeElement(writer, entry);
        writer.tag(2, value.wireType);
        writer.string(name);
        writer.tag(1, WireType.bytes);
        writer.varint(writer.length - before);
        writer.tag(number, WireType.bytes);
      }
    },
  };
}
