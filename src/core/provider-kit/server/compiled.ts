import { isRecord } from "../../json/plain-json";
import type { Declaration } from "../../schema/declaration";
import { check } from "../../schema/check";
import { type Fields, hasSecrets, required, wireNames } from "../../schema/attribute";
import type { Path } from "../../schema/finding";
import { forbiddenNull, hasNeverNull } from "../../schema/nested-attributes";
import type { Values } from "../../schema/resource-rule";
import { UNKNOWN, type Type } from "../../schema/type";
import { type Codec, compile } from "../cty/codec";
import { decodeJson } from "../cty/json-decode";
import type { CtyObjectType, CtyType } from "../cty/type";
import type { CtyValue } from "../cty/value";
import { ctyTypeOf, ctyTypeOfValue } from "../plan/cty-type";
import { exactPlan, hasDoubles, withDoubles, withExact } from "./doubles";
import { findingDiagnostic } from "./diagnostic";
import type { Secrets } from "./secrets";
import type {
  DiagnosticInit,
  DynamicValue,
  DynamicValueInit,
} from "../wire/tfplugin6/tfplugin6-value";

/** A declaration with its codec: encodes, decodes and checks the values of one type. */
export class Compiled {
  readonly type: CtyObjectType;
  readonly #codec: Codec;
  readonly #secrets: Secrets | undefined;
  readonly #hasDoubles: boolean;
  /** Decoded values as Terraform has sent them, if a number is not a double. */
  readonly #exact = new WeakMap<Values, Values>();
  #hasNeverNull: boolean | undefined;

  /** @param secrets collects the sensitive values that are decoded @default not collected */
  constructor(
    readonly declaration: Declaration,
    secrets?: Secrets,
  ) {
    this.type = ctyTypeOf(declaration);
    this.#codec = compile(this.type);
    this.#secrets = hasSecrets(declaration) ? secrets : undefined;
    this.#hasDoubles = hasDoubles(declaration);
  }

  /** @returns undefined for null: no state, or a planned destruction */
  decode(value: DynamicValue | undefined): Values | undefined {
    const decoded = this.#decode(value);
    return isRecord(decoded) ? decoded : undefined;
  }

  /**
   * Decodes the JSON of a state that can be from before an attribute was removed, which needs no other version. Such an
   * attribute is left out, as Terraform leaves it out of states of the current version.
   *
   * @throws CtyError when the state has another structure, or a required attribute is missing as well, which was
   *   probably renamed
   */
  decodeStored(json: Uint8Array): Values | undefined {
    try {
      return this.decode({ msgpack: new Uint8Array(), json });
    } catch (error) {
      const value = decodeJson(this.type, json, { ignoresOthers: true });
      if (!isRecord(value) || this.#lacksRequired(value)) throw error;
      const decoded = this.#prepared(value);
      return isRecord(decoded) ? decoded : undefined;
    }
  }

  #lacksRequired(values: Values): boolean {
    return Object.entries(this.declaration.attributes).some(
      ([name, { presence, writeOnly }]) =>
        presence === "required" && writeOnly !== true && values[name] === null,
    );
  }

  /** Checks whether a message contains null. Does not decode any other value. */
  isNull(value: DynamicValue | undefined): boolean {
    if (value === undefined || (value.msgpack.length === 0 && value.json.length === 0)) return true;
    return value.msgpack.length === 0
      ? new TextDecoder().decode(value.json).trim() === "null"
      : value.msgpack.length === 1 && value.msgpack[0] === msgpackNil;
  }

  /** Decodes a configuration. If it is unknown as a whole, every attribute is unknown. */
  decodeConfig(value: DynamicValue | undefined): Values {
    const decoded = this.#decode(value);
    if (isRecord(decoded)) return decoded;
    const hole = decoded === UNKNOWN ? UNKNOWN : null;
    return Object.fromEntries(this.type.object.map(({ name }) => [name, hole]));
  }

  /**
   * @param values undefined is encoded as null
   * @param before decoded values, whose numbers are kept where they mean the same
   */
  encode(values: Values | undefined, before?: Values): DynamicValueInit {
    const exact = before && this.#exact.get(before);
    const kept = values && exact ? withExact(this.declaration, values, exact) : values;
    return { msgpack: this.#codec.encode((kept ?? null) as CtyValue) };
  }

  /** Encodes a plan with the numbers of the state where they mean the same, else of the configuration. */
  encodePlan(planned: Values, config: Values, prior: Values | undefined): DynamicValueInit {
    const [given, stored] = [this.#exact.get(config), prior && this.#exact.get(prior)];
    if (given === undefined && stored === undefined) return this.encode(planned);
    return this.encode(exactPlan(this.declaration, planned, given ?? config, stored ?? prior));
  }

  /**
   * Returns the path of the first value in a state that must not be null, but is; undefined if there is no
   * such value.
   */
  forbiddenNull(state: Values): Path | undefined {
    this.#hasNeverNull ??= hasNeverNull(this.declaration);
    return this.#hasNeverNull ? forbiddenNull(this.declaration, state) : undefined;
  }

  encodeUnknown(): DynamicValueInit {
    return { msgpack: this.#codec.encode(UNKNOWN) };
  }

  /**
   * Checks the known values of a configuration against all rules.
   *
   * @param hasWriteOnly true if Terraform has write-only arguments
   */
  validate(config: Values, hasWriteOnly = false): DiagnosticInit[] {
    return check(this.declaration, config, isUnknown, wireNames, hasWriteOnly).map((finding) =>
      findingDiagnostic(this.type, finding),
    );
  }

  #decode(value: DynamicValue | undefined): unknown {
    return this.#prepared(this.#read(value));
  }

  #prepared(decoded: CtyValue | undefined): unknown {
    if (!isRecord(decoded)) return decoded;
    this.#secrets?.collect(this.declaration, decoded);
    if (!this.#hasDoubles) return decoded;
    const values = withDoubles(this.declaration, decoded);
    if (values !== decoded) this.#exact.set(values, decoded);
    return values;
  }

  #read(value: DynamicValue | undefined): CtyValue {
    if (value === undefined) return null;
    if (value.msgpack.length > 0) return this.#codec.decode(value.msgpack);
    if (value.json.length === 0) return null;
    return decodeJson(this.type, new TextDecoder().decode(value.json));
  }
}

const msgpackNil = 0xc0;

const isUnknown = (value: unknown): boolean => value === UNKNOWN;

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

  /** Returns the codec of a type, which is created on first use. */
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
