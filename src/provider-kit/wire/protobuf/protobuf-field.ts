import { ProtobufError } from "./protobuf-error";
import { type ProtobufReader, WireType } from "./protobuf-reader";
import type { ProtobufWriter } from "./protobuf-writer";

/**
 * One field of a message: how its value is read, written and defaulted.
 *
 * `Out` is what decoding gives, `In` what encoding takes.
 */
export interface Field<Out, In = Out> {
  readonly number: number;
  initial(): Out;
  /** Reads one occurrence; `previous` is what earlier occurrences gave. */
  read(reader: ProtobufReader, wireType: number, previous: Out): Out;
  write(writer: ProtobufWriter, value: In): void;
}

/** A field that holds one value, and may therefore be repeated, optional or a map's value. */
export interface SingularField<Out, In = Out> extends Field<Out | undefined, In> {
  readonly wireType: number;
  initialElement(): Out;
  readElement(reader: ProtobufReader, previous: Out | undefined): Out;
  writeElement(writer: ProtobufWriter, value: In): void;
}

/** Refuses a field whose bytes are delimited otherwise than its type says. */
export function expectWireType(number: number, expected: number, actual: number): void {
  if (actual !== expected) {
    throw new ProtobufError(`field ${number} has wire type ${actual}, expected ${expected}`);
  }
}

/** A field that is `undefined` when absent: explicit `optional`, and the members of a one-of. */
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

/** Any number of values, in order. */
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
