import {
  ComplexList,
  ComplexObject,
  Fn,
  type IInterpolatingParent,
  type IResolvable,
  Token,
} from "cdktf";
import { type Attribute, type Block, type Fields, type Type, wireName } from "../../schema";
import { isSingle } from "./body";

/** What every construct has besides the members of its class. */
const fieldsOfConstructs = ["node", "resource"];

/** Defines a getter for each attribute and block on a class of constructs, unless it has a member of that name. */
export function defineConstructOutputs<Target extends object>(
  prototype: Target,
  fields: Fields,
  parentOf: (self: Target) => IInterpolatingParent,
): void {
  defineOutputs(prototype, fields, parentOf, fieldsOfConstructs);
}

/** Defines a getter for each attribute and block, unless the target has a member of that name. */
function defineOutputs<Target extends object>(
  target: Target,
  { attributes, blocks = {} }: Fields,
  parentOf: (self: Target) => IInterpolatingParent,
  taken: readonly string[] = [],
): void {
  const readers: readonly (readonly [string, Reader])[] = [
    ...Object.entries(attributes).map(
      ([name, each]) => [name, attributeReader(name, each)] as const,
    ),
    ...Object.entries(blocks).map(([name, each]) => [name, blockReader(name, each)] as const),
  ];
  for (const [name, read] of readers) {
    if (name in target || taken.includes(name)) continue;
    Object.defineProperty(target, name, {
      configurable: true,
      enumerable: true,
      get(this: Target): unknown {
        return read(parentOf(this));
      },
    });
  }
}

/** Null in an expression. cdktf leaves its own out. */
export const nothing = Token.asAny("null");

type Reader = (parent: IInterpolatingParent) => unknown;

function attributeReader(name: string, attribute: Attribute): Reader {
  const wire = wireName(name, attribute);
  const { type } = attribute;
  if (type.kind === "object") return singleReader(wire, type.fields);
  if (type.kind === "list" && type.of.kind === "object") return listReader(wire, type.of.fields);
  return (parent) => tokenOf(type, parent.interpolationForAttribute(wire));
}

function blockReader(name: string, block: Block): Reader {
  const wire = wireName(name, block);
  if (isSingle(block)) return singleReader(wire, block.fields);
  if (block.nesting === "list") return listReader(wire, block.fields);
  return (parent) => parent.interpolationForAttribute(wire);
}

const singleReader =
  (wire: string, fields: Fields): Reader =>
  (parent) =>
    new SingleOutputs(parent, wire, fields);

const listReader =
  (wire: string, fields: Fields): Reader =>
  (parent) =>
    new ListOutputs(parent, wire, fields);

/** Encodes a reference in the form in which properties take values of a type. */
export function tokenOf(type: Type, reference: IResolvable): unknown {
  switch (type.kind) {
    case "string":
      return type.values === undefined ? Token.asString(reference) : reference;
    case "decimal":
      return Token.asString(reference);
    case "number":
    case "integer":
    case "int64":
      return Token.asNumber(reference);
    case "list":
      return listToken(type.of, reference);
    case "set":
      // Terraform has no index for sets, which cdktf's functions for lists use.
      return isPlain(type.of) ? listToken(type.of, Token.asAny(Fn.tolist(reference))) : reference;
    case "map":
      if (isText(type.of)) return Token.asStringMap(reference);
      return isNumber(type.of) ? Token.asNumberMap(reference) : reference;
    default:
      return reference;
  }
}

function listToken(element: Type, reference: IResolvable): unknown {
  if (isText(element)) return Token.asList(reference);
  return isNumber(element) ? Token.asNumberList(reference) : reference;
}

const isText = (type: Type): boolean =>
  type.kind === "decimal" || (type.kind === "string" && type.values === undefined);

const isNumber = ({ kind }: Type): boolean =>
  kind === "number" || kind === "integer" || kind === "int64";

const isPlain = (type: Type): boolean => isText(type) || isNumber(type);

/**
 * References to the values of an object, or of a block that occurs at most once. They are null without it.
 *
 * A splat reads it in the same way whether Terraform has an object, a list or a set there.
 */
class SingleOutputs implements IInterpolatingParent {
  readonly #parent: IInterpolatingParent;
  readonly #wire: string;

  constructor(parent: IInterpolatingParent, wire: string, fields: Fields) {
    this.#parent = parent;
    this.#wire = wire;
    defineOutputs<SingleOutputs>(this, fields, () => this);
  }

  interpolationForAttribute(path: string): IResolvable {
    const one: unknown = Fn.one(this.#parent.interpolationForAttribute(`${this.#wire}[*].${path}`));
    // Without the outer object, there is no list of inner ones.
    const isNested = this.#parent instanceof SingleOutputs;
    return Token.asAny(isNested ? Fn.try([one, nothing]) : one);
  }
}

class ListOutputs extends ComplexList {
  readonly #fields: Fields;

  constructor(parent: IInterpolatingParent, wire: string, fields: Fields) {
    super(parent, wire, false);
    this.#fields = fields;
  }

  get(index: number): ElementOutputs {
    return new ElementOutputs(this.terraformResource, this.terraformAttribute, index, this.#fields);
  }
}

class ElementOutputs extends ComplexObject {
  constructor(parent: IInterpolatingParent, wire: string, index: number, fields: Fields) {
    super(parent, wire, false, index);
    defineOutputs<ElementOutputs>(this, fields, () => this);
  }
}
