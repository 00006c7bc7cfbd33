import { type ProtobufReader, type ProtobufWriter, WireType, protobufError } from "./protobuf-wire";

/**
 * One field of a message: how to read and write its value, and its default.
 *
 * `Out` is the decoded type, `In` the type that can be encoded.
 */
export interface Field<Out, In = Out> {
  readonly number: number;
  initial(): Out;
  /** Reads one occurrence. `previous` is the value after earlier occurrences. */
  read(reader: ProtobufReader, wireType: number, previous: Out): Out;
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
    throw protobufError(
      "PROTOBUF",
      `field ${number} has wire type ${actual}, expected ${expected}`,
    );
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
    read: (reader) => reader.int64() !== 0,
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
    throw protobufError("PROTOBUF", `enum field ${number} has no name for the number 0`);
  return scalarField<Name>(number, {
    wireType: WireType.varint,
    initial,
    isInitial: (value) => value === initial,
    read: (reader) => byNumber.get(reader.int64()) ?? initial,
    write: (writer, value) => {
      const code = numbers.get(value);
      if (code === undefined) {
        throw protobufError(
          "PROTOBUF",
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
