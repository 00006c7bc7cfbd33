import type { Fields } from "../../schema/attribute";
import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { isRecord } from "../../json/is-object";
import { encodeJson } from "../cty/json/json";
import type { CtyObjectType } from "../cty/type";
import type { CtyValue } from "../cty/value";
import { Compiled } from "../server/compiled";
import type { DynamicValue } from "../wire/tfplugin6/tfplugin6";
import { nestedType } from "./core/nested-type";

/**
 * The values of a declaration as Terraform sends them: its own names, msgpack.
 *
 * In JavaScript they have the names of the declaration, and what is left out is null, or no block.
 */
export class WireValues {
  readonly type: CtyObjectType;
  readonly #compiled: Compiled;

  constructor(readonly declaration: Declaration) {
    this.#compiled = new Compiled(declaration);
    this.type = this.#compiled.type;
  }

  /** Values as they come off the wire: null for what is left out, an empty array for absent blocks. */
  fill(values: Values): Values {
    return filled(this.declaration, values);
  }

  /**
   * @param values null for a resource that does not exist
   * @throws CtyError for what Terraform would not send: values of another type, undeclared names
   */
  encode(values: Values | null | undefined): { readonly msgpack: Uint8Array } {
    const { msgpack = new Uint8Array() } = this.#compiled.encode(
      values === null || values === undefined ? undefined : this.fill(values),
    );
    return { msgpack };
  }

  /** Values as the state file has them. */
  encodeJson(values: Values): Uint8Array {
    // What does not fit the type is refused while it is written.
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
    const none = nesting === "single" ? null : [];
    all[name] = filledNested(nesting, fields, values[name] ?? none);
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
