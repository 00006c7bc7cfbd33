import { ProtobufError } from "./protobuf-error";
import { expectWireType, type SingularField } from "./protobuf-field";
import { type ProtobufReader, WireType } from "./protobuf-reader";
import type { ProtobufWriter } from "./protobuf-writer";

/**
 * A scalar field. It is not encoded when it has its default value, and absent fields decode to the
 * default.
 */
interface ScalarField<T> extends SingularField<T> {
  initial(): T;
  read(reader: ProtobufReader, wireType: number, previous: T): T;
}

interface Scalar<T> {
  readonly wireType: number;
  readonly initial: T;
  readonly isInitial: (value: T) => boolean;
  readonly read: (reader: ProtobufReader) => T;
  readonly write: (writer: ProtobufWriter, value: T) => void;
}

function scalarField<T>(number: number, scalar: Scalar<T>): ScalarField<T> {
  const { wireType, initial, isInitial, read, write } = scalar;
  return {
    number,
    wireType,
    initial: () => initial,
    initialElement: () => initial,
    read(reader, actual) {
      expectWireType(number, wireType, actual);
      return read(reader);
    },
    readElement: read,
    write(writer, value) {
      if (isInitial(value)) return;
      write(writer, value);
      writer.tag(number, wireType);
    },
    writeElement: write,
  };
}

/** A string, `""` by default. */
export function string(number: number): ScalarField<string> {
  return scalarField(number, {
    wireType: WireType.bytes,
    initial: "",
    isInitial: (value) => value === "",
    read: (reader) => reader.string(),
    write: (writer, value) => {
      writer.string(value);
    },
  });
}

const noBytes = new Uint8Array(0);

/** Bytes, empty by default. Decoded bytes are a view of the message's memory. */
export function bytes(number: number): ScalarField<Uint8Array> {
  return scalarField<Uint8Array>(number, {
    wireType: WireType.bytes,
    initial: noBytes,
    isInitial: (value) => value.length === 0,
    read: (reader) => reader.bytes(),
    write: (writer, value) => {
      writer.bytes(value);
    },
  });
}

/** A boolean, `false` by default. */
export function bool(number: number): ScalarField<boolean> {
  return scalarField<boolean>(number, {
    wireType: WireType.varint,
    initial: false,
    isInitial: (value) => !value,
    read: (reader) => reader.bool(),
    write: (writer, value) => {
      writer.varint(value ? 1 : 0);
    },
  });
}

/** A 64-bit integer that must be a safe integer, `0` by default. */
export function int64(number: number): ScalarField<number> {
  return scalarField<number>(number, {
    wireType: WireType.varint,
    initial: 0,
    isInitial: (value) => value === 0,
    read: (reader) => reader.int64(),
    write: (writer, value) => {
      writer.int64(value);
    },
  });
}

/**
 * An enum, decoded to the name of its value. The name with number 0 is the default. Unknown
 * numbers, which a newer peer may send, also decode to it.
 */
export function enumeration<const Names extends Readonly<Record<string, number>>>(
  number: number,
  names: Names,
): ScalarField<keyof Names & string> {
  type Name = keyof Names & string;
  const numbers = new Map<string, number>(Object.entries(names));
  const byNumber = new Map<number, Name>();
  for (const [name, value] of numbers) if (isName(names, name)) byNumber.set(value, name);
  const initial = byNumber.get(0);
  if (initial === undefined)
    throw new ProtobufError(`enum field ${number} has no name for the number 0`);
  return scalarField<Name>(number, {
    wireType: WireType.varint,
    initial,
    isInitial: (value) => value === initial,
    read: (reader) => byNumber.get(reader.int64()) ?? initial,
    write: (writer, value) => {
      const code = numbers.get(value);
      if (code === undefined) {
        throw new ProtobufError(
          `${JSON.stringify(value)} must be one of ${[...numbers.keys()].join(", ")}`,
        );
      }
      writer.int64(code);
    },
  });
}

function isName<Names extends object>(names: Names, name: string): name is keyof Names & string {
  return name in names;
}
