import type { Fields } from "../../schema/attribute";
import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { isRecord } from "../../json/plain-json";
import { encodeJson } from "../cty/json-encode";
import type { CtyObjectType } from "../cty/type";
import type { CtyValue } from "../cty/value";
import { Compiled } from "../server/compiled";
import { nestedType } from "./core/nested-type";
import { unknownPath } from "../plan/conformity";
import type { Problem } from "./core/problem";
import type { DynamicValue, ResourceIdentityData } from "../wire/tfplugin6/tfplugin6-value";

/**
 * Converts the values of a declaration to the encoding that Terraform sends: Terraform's names, in msgpack.
 *
 * In JavaScript, values have the names of the declaration. Omitted attributes are null, omitted blocks are
 * absent.
 */
export class WireValues {
  readonly type: CtyObjectType;
  readonly #compiled: Compiled;

  constructor(readonly declaration: Declaration) {
    this.#compiled = new Compiled(declaration);
    this.type = this.#compiled.type;
  }

  /**
   * Fills in omitted values as Terraform does: null for attributes, an empty array for repeated
   * blocks.
   */
  fill(values: Values): Values {
    return filled(this.declaration, values);
  }

  /**
   * Encodes values as msgpack.
   *
   * @param values null for a resource that does not exist
   * @throws CtyError for values of the wrong type and for undeclared names
   */
  encode(values: Values | null | undefined): { readonly msgpack: Uint8Array } {
    const { msgpack = new Uint8Array() } = this.#compiled.encode(
      values === null || values === undefined ? undefined : this.fill(values),
    );
    return { msgpack };
  }

  /** Encodes values as JSON, as in the state file. */
  encodeJson(values: Values): Uint8Array {
    // encodeJson refuses values that do not match the type.
    return Buffer.from(encodeJson(this.type, this.fill(values) as CtyValue));
  }

  /** @returns undefined for a resource that does not exist */
  decode(value: DynamicValue | undefined): Values | undefined {
    return this.#compiled.decode(value);
  }
}

function filled({ attributes, blocks = {} }: Fields, values: Values): Values {
  const all: Record<string, unknown> = { ...values };
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = values[name] ?? null;
    const nested = nestedType(attribute.type);
    all[name] = nested === undefined ? value : filledNested(nested.nesting, nested.fields, value);
  }
  for (const [name, { nesting, fields }] of Object.entries(blocks)) {
    const absent = nesting === "single" ? null : [];
    all[name] = filledNested(nesting, fields, values[name] ?? absent);
  }
  return all;
}

function filledNested(nesting: string, fields: Fields, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const element = (inner: unknown): unknown => (isRecord(inner) ? filled(fields, inner) : inner);
  if (nesting === "single") return element(value);
  if (Array.isArray(value)) return value.map(element);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, element(inner)]));
}

/** Converts the identities of one resource type, and checks those that a provider returns. */
export class IdentityValues {
  readonly #values: WireValues | undefined;

  constructor({ identity }: Declaration) {
    this.#values = identity && new WireValues(identity);
  }

  /** @returns undefined without an identity */
  encode(values: Values | undefined) {
    if (values === undefined || this.#values === undefined) return undefined;
    return { identityData: this.#values.encode(values) };
  }

  /** @returns undefined when the provider returned none */
  decode(data: ResourceIdentityData | undefined): Values | undefined {
    return this.#values?.decode(data?.identityData);
  }

  /** Returns what Terraform does not accept in the identity of an existing resource. */
  problems(identity: Values | undefined): Problem[] {
    if (identity === undefined || unknownPath(identity) === undefined) return [];
    return [{ path: [], message: "the identity contains unknown values" }];
  }
}

/** The summary of Terraform's error for an identity that it does not accept. */
export const invalidIdentity = "Provider produced invalid identity";
