import { hashMapper, listMapper, Token, Tokenization } from "cdktf";
import { isRecord, type Properties } from "../../json/plain-json";
import { type Attribute, type Block, type Fields, type Type, wireName } from "../../schema";

/** An attribute or a block that users write, in the order in which generated bindings write them. */
interface Member {
  readonly name: string;
  readonly wire: string;
  readonly toTerraform: (value: unknown) => unknown;
  /** How cdktf writes it in native syntax. */
  readonly hcl: HclForm;
  readonly fields: Fields | undefined;
  /** True for a block that occurs at most once. */
  readonly isSingle: boolean;
}

interface HclForm {
  readonly isBlock: boolean;
  readonly type: string;
  readonly storageClassType: string;
}

const members = new WeakMap<Fields, readonly Member[]>();

function membersOf(fields: Fields): readonly Member[] {
  const known = members.get(fields);
  if (known !== undefined) return known;
  const created = [
    ...Object.entries(fields.attributes)
      .filter(([, { presence }]) => presence !== "computed")
      .map(([name, attribute]) => attributeMember(name, attribute))
      .sort(byWireName),
    ...Object.entries(fields.blocks ?? {})
      .map(([name, block]) => blockMember(name, block))
      .sort(byWireName),
  ];
  members.set(fields, created);
  return created;
}

const byWireName = (a: Member, b: Member): number => (a.wire < b.wire ? -1 : 1);

function attributeMember(name: string, attribute: Attribute): Member {
  const { type } = attribute;
  const hcl = { isBlock: false, ...hclType(type) };
  const own = { fields: undefined, isSingle: false };
  return { name, wire: wireName(name, attribute), toTerraform: mapper(type), hcl, ...own };
}

function blockMember(name: string, block: Block): Member {
  const { fields, nesting } = block;
  const element = objectMapper(fields);
  const type = nesting === "single" ? "struct" : nesting;
  return {
    name,
    wire: wireName(name, block),
    toTerraform: isSingle(block) ? (value) => element(only(value)) : listMapper(element, true),
    hcl: { isBlock: true, type, storageClassType: "object" },
    fields,
    isSingle: isSingle(block),
  };
}

/** Checks whether a block occurs at most once, so that it is written without an array. */
export const isSingle = ({ nesting, max }: Block): boolean => nesting === "single" || max === 1;

/** The element of a block that occurs at most once, which may be written as an array. */
const only = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : value);

const scalars: Partial<Record<Type["kind"], string>> = { string: "string", bool: "boolean" };

const scalarOf = ({ kind }: Type): string => scalars[kind] ?? "number";

function hclType(type: Type): Omit<HclForm, "isBlock"> {
  switch (type.kind) {
    case "list":
    case "set":
    case "map": {
      const isPlain = !("of" in type.of) && type.of.kind !== "object" && type.of.kind !== "dynamic";
      if (!isPlain) return { type: "any", storageClassType: "any" };
      const isMap = type.kind === "map";
      return { type: type.kind, storageClassType: scalarOf(type.of) + (isMap ? "Map" : "List") };
    }
    case "object":
    case "dynamic":
      return { type: "any", storageClassType: "any" };
    default:
      return { type: "simple", storageClassType: scalarOf(type) };
  }
}

export function mapper(type: Type): (value: unknown) => unknown {
  switch (type.kind) {
    case "list":
    case "set":
      return listMapper(mapper(type.of), false);
    case "map":
      return hashMapper(mapper(type.of));
    case "object":
      return objectMapper(type.fields);
    case "dynamic":
      return (value) => value;
    default:
      return exact;
  }
}

/** cdktf and JSON have no `bigint`, but an expression of its digits is an exact number. */
const exact = (value: unknown): unknown =>
  typeof value === "bigint" ? Token.asAny(`\${${String(value)}}`) : value;

const objectMapper =
  (fields: Fields) =>
  (value: unknown): unknown =>
    isRecord(value) && !Tokenization.isResolvable(value) ? bodyOf(fields, value) : value;

/** Returns values by Terraform's names, as a generated binding does. */
export function bodyOf(fields: Fields, values: Properties): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, wire, toTerraform } of membersOf(fields)) {
    body[wire] = toTerraform(values[name]);
  }
  return body;
}

/** Returns values by Terraform's names with what cdktf needs to write them in native syntax. */
export function hclBodyOf(fields: Fields, values: Properties): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const member of membersOf(fields)) {
    const value = hclValue(member, values[member.name]);
    if (value !== undefined) body[member.wire] = { value, ...member.hcl };
  }
  return body;
}

function hclValue({ fields, isSingle, toTerraform }: Member, value: unknown): unknown {
  const element = (each: unknown): unknown =>
    fields !== undefined && isRecord(each) && !Tokenization.isResolvable(each)
      ? hclBodyOf(fields, each)
      : each;
  if (fields === undefined) return toTerraform(value);
  if (!Array.isArray(value)) return element(value);
  return isSingle ? element(value[0]) : value.map(element);
}
