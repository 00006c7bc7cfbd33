import { isRecord } from "../../json/plain-json";
import { type Attribute, type Block, type Fields, hasSecrets } from "../../schema/attribute";
import type { Declaration } from "../../schema/declaration";
import type { Path } from "../../schema/finding";
import { placesIn } from "../../schema/nested-attributes";
import type { Values } from "../../schema/resource-rule";
import type { Type } from "../../schema/type";
import { nestedType } from "../../schema/wire-schema";
import type { ResourceType } from "../core/resource-calls";
import {
  isSingle,
  type SchemaAttribute,
  type SchemaBlock,
  type SchemaBlockType,
  type SchemaNested,
} from "../core/schema";
import { encodeJson } from "../cty/json-encode";
import type { CtyObjectType } from "../cty/type";
import type { CtyValue } from "../cty/value";
import { ctyTypeOf, ctyTypeOfValue } from "../plan/cty-type";
import { Compiled } from "../server/compiled";
import type { DynamicValue, ResourceIdentityData } from "../wire/tfplugin6/tfplugin6-value";

/**
 * Converts the values of a declaration to the encoding that Terraform sends: Terraform's names, in msgpack.
 *
 * In JavaScript, values have the names of the declaration. Omitted attributes are null, omitted blocks are
 * absent.
 */
export class WireValues implements ResourceType {
  readonly name: string;
  readonly schema: SchemaBlock;
  readonly identities: IdentityValues | undefined;
  readonly #compiled: Compiled;

  constructor(readonly declaration: Declaration) {
    this.#compiled = new Compiled(declaration);
    this.name = declaration.type;
    this.schema = schemaOf(declaration);
    this.identities = declaration.identity && new IdentityValues(declaration.identity);
  }

  get type(): CtyObjectType {
    return this.schema.type;
  }

  /**
   * Fills in omitted values as Terraform does: null for attributes, an empty array for repeated
   * blocks.
   */
  fill(values: Values): Values {
    return filled(this.schema, values);
  }

  /**
   * Returns advice for a `plan` handler on a value that depends on another one which is not known yet.
   *
   * @param path in the declaration's names
   */
  cureOf(path: Path): string {
    const found = [...placesIn(this.declaration)].findLast(
      ({ name, at }) =>
        name === path.findLast((step) => typeof step === "string") &&
        at.split(".").every((step) => step === "" || path.includes(step)),
    )?.attribute;
    if (found?.presence !== "computed" && found?.presence !== "optionalComputed") return "";
    const { useStateForUnknown } = found;
    const kept =
      useStateForUnknown === true
        ? ". It has useStateForUnknown, so it keeps its value until the plan handler returns another one"
        : "";
    return `${kept}. Return UNKNOWN for it from the plan handler until what it depends on is known`;
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

function filled({ attributes, blocks }: SchemaBlock, values: Values): Values {
  const all: Record<string, unknown> = { ...values };
  for (const [name, { nested }] of attributes) {
    const value = values[name] ?? null;
    all[name] = nested === undefined ? value : filledNested(nested, value);
  }
  for (const [name, block] of blocks) {
    const absent = isSingle(block.nesting) ? null : [];
    all[name] = filledNested(block, values[name] ?? absent);
  }
  return all;
}

function filledNested({ nesting, block }: SchemaNested, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const element = (inner: unknown): unknown => (isRecord(inner) ? filled(block, inner) : inner);
  if (isSingle(nesting)) return element(value);
  if (Array.isArray(value)) return value.map(element);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, element(inner)]));
}

/** Converts the identities of one resource type. */
class IdentityValues {
  readonly #values: WireValues;

  constructor(identity: Declaration) {
    this.#values = new WireValues(identity);
  }

  /** @returns undefined for a resource without one */
  encode(values: Values | undefined) {
    return values && { identityData: this.#values.encode(values) };
  }

  /** @returns undefined when the provider returned none */
  decode(data: ResourceIdentityData | undefined): Values | undefined {
    return this.#values.decode(data?.identityData);
  }
}

/** Returns the schema of a declaration, for values with its names. */
export function schemaOf(fields: Fields): SchemaBlock {
  let schema = schemas.get(fields);
  if (schema === undefined) {
    const { attributes, blocks = {} } = fields;
    schema = {
      attributes: new Map(
        Object.entries(attributes).map(([name, each]) => [name, attributeOf(each)]),
      ),
      blocks: new Map(Object.entries(blocks).map(([name, each]) => [name, blockTypeOf(each)])),
      type: ctyTypeOf(fields),
      hasSensitive: hasSecrets(fields),
    };
    schemas.set(fields, schema);
  }
  return schema;
}

const schemas = new WeakMap<Fields, SchemaBlock>();

const attributeOf = ({
  type,
  presence,
  sensitive = false,
  writeOnly = false,
}: Attribute): SchemaAttribute => ({
  type: ctyTypeOfValue(type),
  isRequired: presence === "required",
  isOptional: presence === "optional" || presence === "optionalComputed",
  isComputed: presence === "computed" || presence === "optionalComputed",
  isSensitive: sensitive,
  isWriteOnly: writeOnly,
  nested: nestedOf(type),
});

const blockTypeOf = ({ nesting, fields, min = 0, max = 0 }: Block): SchemaBlockType => ({
  nesting,
  block: schemaOf(fields),
  minItems: min,
  maxItems: max,
});

function nestedOf(type: Type): SchemaNested | undefined {
  const nested = nestedType(type);
  return nested && { nesting: nested.nesting, block: schemaOf(nested.fields) };
}
