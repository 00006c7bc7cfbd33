import { isRecord } from "../../json/is-object";
import type { Declaration } from "../../schema/declaration";
import { check } from "../../schema/check";
import { hasSecrets, wireNames } from "../../schema/attribute";
import type { Path } from "../../schema/finding";
import { forbiddenNull, hasNeverNull } from "../../schema/never-null";
import type { Values } from "../../schema/resource-rule";
import { UNKNOWN } from "../../schema/unknown";
import { compile, type Codec } from "../cty/codec/codec";
import { decodeJson } from "../cty/json/json";
import type { CtyObjectType } from "../cty/type";
import type { CtyValue } from "../cty/value";
import { ctyTypeOf } from "../plan/cty-type";
import type { DiagnosticInit, DynamicValue, DynamicValueInit } from "../wire/tfplugin6/tfplugin6";
import { findingDiagnostic } from "./diagnostic";
import { hasDoubles, withDoubles } from "./doubles";
import type { Secrets } from "./secrets";

/** A declaration with its codec: encodes, decodes and checks the values of one type. */
export class Compiled {
  readonly type: CtyObjectType;
  readonly #codec: Codec;
  readonly #secrets: Secrets | undefined;
  readonly #hasDoubles: boolean;
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

  /** Whether a message contains null. Does not decode any other value. */
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

  /** @param values undefined is encoded as null */
  encode(values: Values | undefined): DynamicValueInit {
    return { msgpack: this.#codec.encode((values ?? null) as CtyValue) };
  }

  /** The path of a value in a state that must not be null, but is; undefined without one. */
  forbiddenNull(state: Values): Path | undefined {
    this.#hasNeverNull ??= hasNeverNull(this.declaration);
    return this.#hasNeverNull ? forbiddenNull(this.declaration, state) : undefined;
  }

  /** Encodes a value that is unknown as a whole. */
  encodeUnknown(): DynamicValueInit {
    return { msgpack: this.#codec.encode(UNKNOWN) };
  }

  /** Checks the known values of a configuration against all rules. */
  validate(config: Values): DiagnosticInit[] {
    return check(this.declaration, config, isUnknown, wireNames).map((finding) =>
      findingDiagnostic(this.type, finding),
    );
  }

  #decode(value: DynamicValue | undefined): unknown {
    const decoded = this.#read(value);
    if (!isRecord(decoded)) return decoded;
    this.#secrets?.collect(this.declaration, decoded);
    return this.#hasDoubles ? withDoubles(this.declaration, decoded) : decoded;
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
