// What Terraform's validation of schemas and Go's framework refuse, and what the kit cannot plan.
import { type Attribute, type Fields, isSensitive, wireName } from "./attribute";
import { checkValue } from "./check";
import type { DeclarationKind } from "./declared-types";
import { formatPath } from "./finding";
import { hasWriteOnly, type Place, placesIn, someAttribute } from "./nested-attributes";
import type { Type } from "./type";

/** A kind of declaration, the identity of a resource, or the parameters of a function. */
type Kind = DeclarationKind | "identity" | "function";

interface Subject extends Place {
  readonly kind: Kind;
  /** The name in Terraform. */
  readonly wire: string;
  /** True if something that is declared before has the same name. */
  readonly isTaken: boolean;
}

type Rule = (subject: Subject) => string | undefined;

/**
 * The rules, by name. Each returns the problem with an attribute or a block; undefined without one.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/internal/configs/configschema/internal_validate.go}
 * @see {@link https://github.com/hashicorp/terraform-plugin-framework/tree/main/internal/fwschema}
 */
export const declarationRules = {
  name: ({ wire }) =>
    /^[a-z_][a-z\d_]*$/.test(wire)
      ? undefined
      : `the name "${wire}" must consist of lowercase letters, digits and underscores, and must not start with a digit; set another name with \`wire\``,

  "reserved name": ({ kind, wire, depth, block }) =>
    (depth === 1 && reserved[kind]?.includes(wire) === true) ||
    (block !== undefined && wire === "dynamic")
      ? `the name "${wire}" is reserved by Terraform; set another name with \`wire\``
      : undefined,

  "unique name": ({ wire, isTaken }) =>
    isTaken ? `another attribute or block already has the name "${wire}"` : undefined,

  "dynamic in a collection": ({ attribute, block, isInCollection }) => {
    if (isInCollection) return undefined;
    if (block !== undefined) {
      return block.nesting !== "single" && hasDynamic(block.fields)
        ? "a repeated block cannot contain dynamic attributes; declare one t.dynamic() instead of the block"
        : undefined;
    }
    return attribute !== undefined && "of" in attribute.type && isDynamic(attribute.type.of)
      ? `a ${attribute.type.kind} cannot contain dynamic values, because its elements have one type; declare t.dynamic() instead of the ${attribute.type.kind}`
      : undefined;
  },

  "write-only kind": ({ kind, attribute }) =>
    attribute?.writeOnly === true && kind !== "resource" && kind !== "action"
      ? `only attributes of resources and actions can be write-only (this is a declaration of kind "${kind}")`
      : undefined,

  "write-only in a set": ({ attribute, set }) =>
    attribute?.writeOnly === true && set !== undefined
      ? "a set cannot contain write-only attributes"
      : undefined,

  "write-only set of objects": ({ attribute }) =>
    attribute?.writeOnly === true && isSetOfObjects(attribute.type)
      ? "a set of objects cannot be write-only, because a set cannot contain write-only attributes; declare a list"
      : undefined,

  "computed in a write-only object": ({ attribute }) =>
    attribute?.writeOnly === true && someAttribute(fieldsOf(attribute.type), isComputed)
      ? "a write-only object cannot contain computed attributes"
      : undefined,

  "member of a plain object": ({ attribute }) => {
    const plain = attribute && plainFields(attribute.type);
    if (attribute === undefined || plain === undefined) return undefined;
    const isOutput = attribute.presence === "computed";
    return someAttribute(plain, (member) => isComputed(member) !== isOutput || hasOptions(member))
      ? "the members of a plain object must be required or optional (or computed, if the object is computed), without other options: Terraform knows only their types"
      : undefined;
  },

  "write-only replaces": ({ attribute }) =>
    attribute?.writeOnly === true && attribute.requiresReplace === true
      ? "a write-only attribute cannot have requiresReplace: Terraform does not see its changes"
      : undefined,

  "write-only in a computed value": ({ attribute }) =>
    attribute !== undefined && isComputed(attribute) && hasWriteOnly(fieldsOf(attribute.type))
      ? "an object that the provider can set cannot contain write-only attributes"
      : undefined,

  "semantic equality in a set": ({ attribute, set }) =>
    attribute?.semanticEquals !== undefined && set !== undefined
      ? "an attribute inside a set cannot have semanticEquals: Terraform identifies elements by value"
      : undefined,

  "semantic equality of a block": ({ block, set }) =>
    block?.semanticEquals !== undefined && (block.nesting !== "set" || set !== undefined)
      ? "only blocks of a set that is not inside another set can have semanticEquals; declare it for their attributes"
      : undefined,

  "computed without a state": ({ kind, attribute }) =>
    attribute !== undefined && stateless.has(kind) && isComputed(attribute)
      ? `the attributes of a declaration of kind "${kind}" must be required or optional`
      : undefined,

  default: ({ attribute }) =>
    attribute?.default !== undefined && attribute.presence !== "optionalComputed"
      ? "only an optionalComputed attribute can have a default"
      : undefined,

  "type of a default": ({ attribute }) => {
    if (attribute?.default === undefined) return undefined;
    const { type, default: value } = attribute;
    const [found] = checkValue(
      { ...type, rule: undefined },
      value,
      () => false,
      isSensitive(attribute),
    );
    if (found === undefined) return undefined;
    const at = found.path.length === 0 ? "it" : formatPath(found.path);
    return `the default does not have the attribute's type: ${at} ${found.message}`;
  },

  "place of timeouts": ({ attribute, wire, depth }) =>
    attribute?.timeouts !== undefined && (wire !== "timeouts" || depth > 1)
      ? "timeouts(…) has no effect here; declare it as the attribute `timeouts`, outside of blocks and objects"
      : undefined,

  "never null": ({ attribute }) =>
    attribute?.neverNull === true &&
    (attribute.presence !== "computed" || attribute.type.kind === "dynamic")
      ? "only a computed attribute that is not dynamic can have neverNull"
      : undefined,

  "null in an element": ({ attribute }) =>
    attribute?.type.nullable === true
      ? "only elements of a list, set or map can be t.nullable; an attribute that is not required can always be null"
      : undefined,

  "number of blocks": ({ block }) => {
    if (block === undefined) return undefined;
    const { nesting, min = 0, max = nesting === "single" ? 1 : Infinity } = block;
    const isCount = (count: number): boolean => Number.isInteger(count) && count >= 0;
    return isCount(min) && (max === Infinity || isCount(max)) && max > 0 && min <= max
      ? undefined
      : "min must be a whole number from 0 to max, and max a whole number of at least 1 (by default 1 for a single block)";
  },

  "blocks in provider_meta": ({ kind, block }) =>
    kind === "provider meta" && block !== undefined
      ? "a provider_meta block cannot contain blocks; declare nested attributes"
      : undefined,

  "presence in an identity": ({ kind, attribute }) =>
    kind === "identity" && attribute?.presence !== "required" && attribute?.presence !== "optional"
      ? "declare it with requiredForImport or optionalForImport"
      : undefined,

  "secret in an identity": ({ kind, attribute }) =>
    kind === "identity" && attribute !== undefined && isSensitive(attribute)
      ? "an identity is shown and stored, so it cannot contain secrets"
      : undefined,

  "type in an identity": ({ kind, attribute, depth }) =>
    kind === "identity" && depth === 1 && attribute !== undefined && !isSimple(attribute.type)
      ? `an identity contains strings, numbers, booleans and lists of them (got ${attribute.type.kind})`
      : undefined,
} satisfies Readonly<Record<string, Rule>>;

/** The type and the version, which a whole declaration has. */
interface Head {
  readonly type: string;
  readonly version?: number | undefined;
}

/** The rules for the type and the version of a declaration. */
export const headRules = {
  type: ({ type }) =>
    /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(type)
      ? undefined
      : `the type "${type}" must consist of letters, digits, underscores and hyphens, and must not start with a digit`,

  version: ({ version = 0 }) =>
    Number.isSafeInteger(version) && version >= 0
      ? undefined
      : `the version must be a whole number (got ${version})`,
} satisfies Readonly<Record<string, (head: Head) => string | undefined>>;

/**
 * @param at the path of the declared, for messages @default its type
 * @throws Error with all problems, when a declaration breaks a rule
 */
export function checkDeclaration(
  kind: Kind,
  declared: Head & Fields,
  at: string = declared.type,
): void {
  // Replaced when this repository's providers are packed: its tests have checked their declarations.
  if (process.env["TRIVET_TESTED_DECLARATIONS"] === "true") return;
  const rules: readonly Rule[] = Object.values(declarationRules);
  const problems = Object.values(headRules).flatMap((rule) => {
    const problem = rule(declared);
    return problem === undefined ? [] : [`${at}: ${problem}`];
  });
  const names = new Set<string>();
  for (const place of placesIn(declared, { at, depth: 0, isInCollection: false })) {
    const wire = wireName(place.name, place.attribute ?? place.block);
    const key = `${place.parent}: ${wire}`;
    const subject: Subject = {
      ...place,
      kind,
      wire,
      isTaken: names.has(key) || names.has(place.at),
    };
    names.add(key).add(place.at);
    for (const rule of rules) {
      const problem = rule(subject);
      if (problem !== undefined) problems.push(`${place.at}: ${problem}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** The arguments and blocks of resources, which Go's framework reserves for all kinds. */
const common = [
  "count",
  "depends_on",
  "for_each",
  "lifecycle",
  "provider",
  "connection",
  "provisioner",
];
/** `_` is the block in which all names are the provider's, and `locals` is for the future. */
const escapes = ["_", "locals"];

const reserved: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  provider: [
    "alias",
    "version",
    "source",
    "count",
    "depends_on",
    "for_each",
    "lifecycle",
    ...escapes,
  ],
  resource: [...common, ...escapes],
  "data source": [...common, ...escapes],
  "ephemeral resource": [...common, ...escapes],
  "list resource": common,
  action: common,
};

/** The kinds without a state, in which a provider cannot set values. */
const stateless = new Set<Kind>(["list resource", "action", "provider", "provider meta"]);

const isComputed = ({ presence }: Attribute): boolean =>
  presence === "computed" || presence === "optionalComputed";

/** Returns what an object, or the elements of a collection, consist of. */
function fieldsOf(type: Type): Fields {
  if ("of" in type) return fieldsOf(type.of);
  return type.kind === "object" ? type.fields : { attributes: {} };
}

const isSetOfObjects = (type: Type): boolean =>
  "of" in type && (isSetOfObjects(type.of) || (type.kind === "set" && isNested(type.of)));

/** Returns the members of a plain object, or of the plain objects in a collection. */
function plainFields(type: Type): Fields | undefined {
  if ("of" in type) return plainFields(type.of);
  return type.kind === "object" && type.isPlain === true ? type.fields : undefined;
}

const hasOptions = ({
  presence: _presence,
  type: _type,
  doc: _doc,
  wire: _wire,
  ...options
}: Attribute): boolean => Object.values(options).some((option) => option !== undefined);

const isNested = (type: Type): boolean =>
  type.kind === "object" || ("of" in type && isNested(type.of));

const isDynamic = (type: Type): boolean =>
  type.kind === "dynamic" ||
  ("of" in type && isDynamic(type.of)) ||
  (type.kind === "object" && hasDynamic(type.fields));

const hasDynamic = (fields: Fields): boolean =>
  someAttribute(fields, ({ type }) => isDynamic(type));

const isSimple = (type: Type): boolean =>
  !isNested(type) &&
  !isDynamic(type) &&
  (!("of" in type) || (type.kind === "list" && !("of" in type.of)));
