import {
  bool,
  bytes,
  enumeration,
  expectWireType,
  type Field,
  int64,
  map,
  optional,
  repeated,
  type SingularField,
  string,
} from "./protobuf-field";
import { ProtobufReader, ProtobufWriter, WireType, protobufError } from "./protobuf-wire";
import { asBuffer } from "./utf8";

/** Encodes and decodes one type of message. */
export interface Message<Out, In = Out> {
  /** @throws ProtobufError when a value cannot be encoded */
  encode(value: In): Uint8Array;
  /**
   * Decoded bytes fields are views of `bytes`.
   *
   * @throws ProtobufError when the bytes are malformed
   */
  decode(bytes: Uint8Array): Out;
  /** Writes the fields, without a length prefix. */
  write(writer: ProtobufWriter, value: In): void;
  /** Reads fields up to the reader's end, and merges them into `previous` if it is given. */
  read(reader: ProtobufReader, previous: Out | undefined): Out;
}

/** The fields of a message by their JavaScript names. */
type Fields = Readonly<Record<string, Field<unknown>>>;

/**
 * A decoded message: scalars, lists and maps are always present, absent messages are `undefined`.
 */
type MessageOf<F extends Fields> = {
  readonly [K in keyof F]: ReturnType<F[K]["initial"]>;
};

/** A message to encode: every field is optional. */
type MessageInit<F extends Fields> = {
  readonly [K in keyof F]?: Parameters<F[K]["write"]>[1] | undefined;
};

export type Decoded<M extends Message<unknown>> = ReturnType<M["decode"]>;

export type Encodable<M extends Message<unknown>> = Parameters<M["encode"]>[0];

/**
 * Defines a message by its fields. They are encoded in ascending order of their numbers.
 *
 * `fields` is called on first use: a provider starts several times per command and uses only a few
 * messages each time.
 */
export function message<const F extends Fields>(
  fields: () => F,
): Message<MessageOf<F>, MessageInit<F>> {
  let made: Table | undefined;
  const table = () => (made ??= tableOf(fields()));

  // `readFields` sets every field to its initial value, and `Field.read` keeps its type.
  const read = (reader: ProtobufReader, previous?: Record<string, unknown>) =>
    readFields(table(), reader, previous) as MessageOf<F>;
  const write = (writer: ProtobufWriter, value: Readonly<Record<string, unknown>>) => {
    for (const [name, field] of table().descending) {
      const member = value[name];
      if (member !== undefined) field.write(writer, member);
    }
  };

  return {
    encode(value) {
      const writer = new ProtobufWriter();
      write(writer, value);
      return writer.finish();
    },
    decode: (encoded) => read(new ProtobufReader(asBuffer(encoded))),
    write,
    read,
  };
}

type NamedField = readonly [name: string, field: Field<unknown>];

interface Table {
  readonly descending: readonly NamedField[];
  readonly byNumber: readonly (NamedField | undefined)[];
}

function tableOf(fields: Fields): Table {
  const descending = Object.entries(fields).sort(([, a], [, b]) => b.number - a.number);
  const byNumber: (NamedField | undefined)[] = [];
  for (const entry of descending) byNumber[entry[1].number] = entry;
  return { descending, byNumber };
}

function readFields(
  { descending, byNumber }: Table,
  reader: ProtobufReader,
  previous: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const target = previous ?? {};
  if (previous === undefined) {
    for (const [name, field] of descending) target[name] = field.initial();
  }
  while (reader.offset < reader.end) {
    const tag = reader.uint32();
    if (tag < 8) throw protobufError("PROTOBUF", `field number 0 before byte ${reader.offset}`);
    const entry = byNumber[tag >>> 3];
    if (entry === undefined) reader.skip(tag & 7);
    else target[entry[0]] = entry[1].read(reader, tag & 7, target[entry[0]]);
  }
  return target;
}

/**
 * A field that contains another message. The message is passed as a function, so that messages can
 * refer to each other.
 */
function messageField<Out, In>(
  number: number,
  target: () => Message<Out, In>,
): SingularField<Out, In> {
  const readElement = (reader: ProtobufReader, previous: Out | undefined) =>
    reader.nested(() => target().read(reader, previous));
  const writeElement = (writer: ProtobufWriter, value: In) => {
    const before = writer.length;
    target().write(writer, value);
    writer.varint(writer.length - before);
  };
  return {
    number,
    wireType: WireType.bytes,
    initial: () => undefined,
    initialElement: () => target().decode(new Uint8Array(0)),
    read(reader, actual, previous) {
      expectWireType(number, WireType.bytes, actual);
      return readElement(reader, previous);
    },
    readElement,
    write(writer, value) {
      writeElement(writer, value);
      writer.tag(number, WireType.bytes);
    },
    writeElement,
  };
}

/** The functions that create fields. Each takes the field's number first. */
export const field = {
  string,
  bytes,
  bool,
  int64,
  enum: enumeration,
  message: messageField,
  map,
  optional,
  repeated,
} as const;
