import { required, type Fields } from "../../schema/attribute";
import type { Type } from "../../schema/type";
import { compile, type Codec } from "../cty/codec/codec";
import { decodeJson } from "../cty/json/json";
import type { CtyType } from "../cty/type";
import type { CtyValue } from "../cty/value";
import { ctyTypeOfValue } from "../plan/cty-type";
import type { DynamicValue, DynamicValueInit } from "../wire/tfplugin6/tfplugin6";
import { hasDoubles, withDoubles } from "./doubles";

/** Encodes and decodes the values of one declared type. */
export class TypedCodec {
  readonly #type: CtyType;
  readonly #codec: Codec;
  /** The type as the only attribute of a declaration; undefined if it contains no doubles. */
  readonly #doubles: Fields | undefined;

  private constructor(type: Type) {
    this.#type = ctyTypeOfValue(type);
    this.#codec = compile(this.#type);
    const fields = { attributes: { value: required(type, { doc: "" }) } };
    this.#doubles = hasDoubles(fields) ? fields : undefined;
  }

  /** The codec of a type, created on first use. */
  static of(type: Type): TypedCodec {
    const codec = codecs.get(type) ?? new TypedCodec(type);
    codecs.set(type, codec);
    return codec;
  }

  /** @throws CtyError when the bytes are malformed or do not match the type */
  decode({ msgpack, json }: DynamicValue): unknown {
    const value =
      msgpack.length > 0
        ? this.#codec.decode(msgpack)
        : decodeJson(this.#type, new TextDecoder().decode(json));
    return this.#doubles === undefined ? value : withDoubles(this.#doubles, { value })["value"];
  }

  /** @throws CtyError when the value does not match the type */
  encode(value: unknown): DynamicValueInit {
    return { msgpack: this.#codec.encode((value ?? null) as CtyValue) };
  }
}

const codecs = new WeakMap<Type, TypedCodec>();
