import { ProtobufError } from "./protobuf-error";
import { type ProtobufReader, WireType } from "./protobuf-reader";
import type { ProtobufWriter } from "./protobuf-writer";

/**
 * One field of a message: how to read and write its value, and its default.
 *
 * `Out` is the decoded type, `In` the type that can be encoded.
 */
export interface Field<Out, In = Out> {
  readonly number: number;
  /** The value of an absent field. */
  initial(): Out;
  /** Reads one occurrence. `previous` is the value after earlier occurrences. */
  read(reader: ProtobufReader, wireType: number, previous: Out): Out;
  /** Writes the field with its tag. */
  write(writer: ProtobufWriter, value: In): void;
}

/** A field with a single value, which can also be repeated, optional or the value of a map. */
export interface SingularField<Out, In = Out> extends Field<Out | undefined, In> {
  readonly wireType: number;
  initialElement(): Out;
  readElement(reader: ProtobufReader, previous: Out | undefined): Out;
  writeElement(writer: ProtobufWriter, value: In): void;
}

/** @throws ProtobufError when the wire type does not match the field's type */
export function expectWireType(number: number, expected: number, actual: number): void {
  if (actual !== expected) {
    throw new ProtobufError(`field ${number} has wire type ${actual}, expected ${expected}`);
  }
}

/** A field that is `undefined` when absent: an explicit `optional`, or a member of a `oneof`. */
export function optional<Out, In>(field: SingularField<Out, In>): Field<Out | undefined, In> {
  const { number, wireType } = field;
  return {
    number,
    initial: () => undefined,
    read: (reader, actual, previous) => {
      expectWireType(number, wireType, actual);
      return field.readElement(reader, previous);
    },
    write(writer, value) {
      field.writeElement(writer, value);
      writer.tag(number, wireType);
    },
  };
}

/** A repeated field: any number of values, in order. */
export function repeated<Out, In>(
  field: SingularField<Out, In>,
): Field<readonly Out[], readonly In[]> {
  const { number, wireType } = field;
  const isPackable = wireType !== WireType.bytes;
  return {
    number,
    initial: () => [],
    read(reader, actual, previous: Out[]) {
      if (isPackable && actual === WireType.bytes) {
        reader.nested(() => {
          while (reader.offset < reader.end) previous.push(field.readElement(reader, undefined));
        });
      } else {
        expectWireType(number, wireType, actual);
        previous.push(field.readElement(reader, undefined));
      }
      return previous;
    },
    write(writer, values) {
      for (const value of values.toReversed()) {
        field.writeElement(writer, value);
        writer.tag(number, wireType);
      }
    },
  };
}
