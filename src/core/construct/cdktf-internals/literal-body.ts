import {
  type IResolvable,
  type IResolveContext,
  TerraformDataSource,
  TerraformResource,
  TerraformStack,
  Token,
  Tokenization,
  type TerraformResourceLifecycle,
} from "cdktf";
import { isRecord, type Properties } from "../../json/plain-json";
import { mayBeNumberToken, mayBeToken, isReference } from "../token/is-token";
import { attributesOf, hasOverrides, isImported, isMoved, sectionOf } from "./binding";
import { isPreparing, watchPreparation } from "./stack";

type Element = TerraformResource | TerraformDataSource;

/**
 * Saves cdktf its work on a resource or data source whose values have no tokens, or only plain references to
 * its own stack, which are resolved here.
 *
 * cdktf puts each body together twice and resolves every value three times, which takes most of the time of a
 * large stack. A body without tokens does not change. The first pass exists for the side effects of tokens,
 * and receives nothing. The second passes the body on as one token, and the third replaces that with the
 * values. Bodies with any other token are left to cdktf, so the result is the same, byte for byte.
 */
export function resolveLiteralBodyOnce(element: Element): void {
  if (TerraformDataSource.isTerraformDataSource(element) && sectionOf(element) !== "data") return;
  const original = element.toTerraform.bind(element) as () => unknown;
  const kind = TerraformResource.isTerraformResource(element) ? "resource" : "data";
  const stack = element.cdktfStack;
  watchPreparation(stack);
  element.toTerraform = () => {
    // cdktf settles the name in the first pass.
    const name = element.friendlyUniqueId;
    const body = literalBody(element, stack);
    if (body === undefined || mayBeToken(name)) return original();
    if (isPreparing(stack)) return {};
    const { path } = element.node;
    if (mayBeToken(path)) return original();
    // The comment that cdktf adds to each body.
    body["//"] = { metadata: { path, uniqueId: name } };
    return new LiteralFragment(kind, { [element.terraformResourceType]: { [name]: body } });
  };
  const metadata = element.toMetadata.bind(element) as () => unknown;
  // cdktf resolves it, too, though most elements have nothing to say there.
  element.toMetadata = () => (isPlainElement(element) ? {} : metadata());
}

const isPlainElement = (element: Element): boolean =>
  !hasOverrides(element) && !isMoved(element) && !isImported(element);

/** Returns a body as cdktf resolves it; undefined if it is left to cdktf. */
function literalBody(element: Element, stack: TerraformStack): Record<string, unknown> | undefined {
  if (!isPlainElement(element)) return undefined;
  const meta = plainMetaArguments(element);
  const body = meta && literalMap(attributesOf(element), stack);
  return body && addLiterals(body, meta, stack);
}

type Section = Readonly<Record<string, Properties>>;

/** Looks like any other fragment, and is a single token for cdktf. */
class LiteralFragment implements IResolvable {
  declare resource?: Section;
  declare data?: Section;

  constructor(kind: "resource" | "data", section: Section) {
    this[kind] = section;
  }

  get creationStack(): string[] {
    return [];
  }

  resolve(context: IResolveContext): unknown {
    const { resource, data } = this;
    const section = resource ?? data ?? {};
    const passed = isSynthesis(context) ? asTokens(section) : section;
    return passedOn(resource === undefined ? { data: passed } : { resource: passed }, context);
  }

  toString(): string {
    return Token.asString(this);
  }
}

function asTokens(section: Section): Section {
  const types: Record<string, Properties> = {};
  for (const type in section) {
    const named: Record<string, unknown> = (types[type] = {});
    for (const name in section[type]) named[name] = new LiteralBody(section[type][name]);
  }
  return types;
}

/** A body between the second and the third pass. */
class LiteralBody implements IResolvable {
  readonly creationStack: string[] = [];
  readonly typeHint = undefined;
  readonly #body: unknown;

  constructor(body: unknown) {
    this.#body = body;
  }

  resolve(context: IResolveContext): unknown {
    return passedOn(this.#body, context);
  }

  toString(): string {
    return Token.asString(this);
  }

  toJSON(): unknown {
    return this.#body;
  }
}

/** cdktf searches the value of a token for tokens, but not the result of its post-processor. */
function passedOn(result: unknown, context: IResolveContext): unknown {
  context.registerPostProcessor({ postProcess: () => result });
  return undefined;
}

/**
 * Checks whether a third pass follows: a stack resolves itself, and has no overrides. They are merged into
 * the resources between the second and the third pass.
 */
const isSynthesis = ({ scope }: IResolveContext): boolean =>
  TerraformStack.isStack(scope) && !hasOverrides(scope);

const notLiteral = Symbol("not literal");

/** Copies a value as cdktf resolves it. Returns `notLiteral` if a part of it may be a token. */
function literal(value: unknown, stack: TerraformStack): unknown {
  switch (typeof value) {
    case "string":
      return mayBeToken(value) ? resolvedReference(value, stack) : value;
    case "number":
      return mayBeNumberToken(value) ? notLiteral : value;
    case "boolean":
    case "undefined":
      return value;
    case "object":
      if (!isRecord(value)) return null;
      return Array.isArray(value)
        ? literalList(value, stack)
        : (literalMap(value, stack) ?? notLiteral);
    default:
      return notLiteral;
  }
}

function literalList(list: readonly unknown[], stack: TerraformStack): unknown {
  const copy: unknown[] = [];
  for (const element of list) {
    const each = literal(element, stack);
    if (each === notLiteral) return notLiteral;
    if (each !== undefined) copy.push(each);
  }
  return copy;
}

function literalMap(map: Properties, stack: TerraformStack): Record<string, unknown> | undefined {
  if (Object.getPrototypeOf(map) !== Object.prototype || "resolve" in map) return undefined;
  return addLiterals({}, map, stack);
}

function addLiterals(
  copy: Record<string, unknown>,
  values: Properties,
  stack: TerraformStack,
): Record<string, unknown> | undefined {
  for (const key in values) {
    const each = mayBeToken(key) ? notLiteral : literal(values[key], stack);
    if (each === notLiteral) return undefined;
    if (each !== undefined) copy[key] = each;
  }
  return copy;
}

/** Resolves a single reference within a stack as cdktf does. Returns `notLiteral` for any other string. */
function resolvedReference(value: string, stack: TerraformStack): unknown {
  if (!/^\$\{TfToken\[[^\]]*\]\}$/.test(value)) return notLiteral;
  const [token] = Tokenization.reverseString(value).tokens;
  if (token === undefined || !isReference(token) || token.originStack !== stack) return notLiteral;
  return mayBeToken(token.identifier) ? notLiteral : `\${${token.identifier}}`;
}

/**
 * Returns the meta-arguments of an element by Terraform's names; undefined if cdktf has to translate one of
 * them: `forEach`, provisioners, a connection, or conditions.
 */
function plainMetaArguments(
  element: TerraformResource | TerraformDataSource,
): Properties | undefined {
  const { count, dependsOn, forEach, lifecycle, provider } = element;
  if (forEach !== undefined) return undefined;
  if (TerraformResource.isTerraformResource(element)) {
    const { connection, provisioners } = element;
    if (connection !== undefined || provisioners !== undefined) return undefined;
  }
  const meta: Record<string, unknown> = {};
  if (dependsOn !== undefined) meta["depends_on"] = dependsOn;
  if (count !== undefined) meta["count"] = count;
  if (provider !== undefined) meta["provider"] = provider.fqn;
  if (lifecycle === undefined) return meta;
  const plain = plainLifecycle(lifecycle);
  if (plain === undefined) return undefined;
  meta["lifecycle"] = plain;
  return meta;
}

function plainLifecycle(lifecycle: TerraformResourceLifecycle): Properties | undefined {
  const { createBeforeDestroy, preventDestroy, ignoreChanges, ...more } = lifecycle;
  if (Object.keys(more).length > 0) return undefined;
  return {
    create_before_destroy: createBeforeDestroy,
    prevent_destroy: preventDestroy,
    ignore_changes: ignoreChanges,
  };
}
