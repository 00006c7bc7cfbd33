import {
  TerraformStack,
  Token,
  Tokenization,
  type IResolvable,
  type IResolveContext,
  type TerraformDataSource,
  type TerraformResource,
} from "cdktf";
import { isRecord } from "../../json/is-object";
import { isReference } from "../token/reference";

/**
 * Saves cdktf the search for tokens in a resource or data source that has none, or only plain
 * references to its own stack, which are resolved here.
 *
 * Synthesis resolves every value three times, which takes most of the time of a large stack. A body
 * without tokens does not change, so it is passed as one token: the first pass skips it, the second
 * passes it on, and the third replaces it with the values. A body with any other token is left to cdktf,
 * so the result is the same, byte for byte.
 */
export function resolveLiteralBodyOnce(resource: TerraformResource | TerraformDataSource): void {
  const original = resource.toTerraform.bind(resource) as () => Fragment;
  resource.toTerraform = () => withLiteralBody(original(), resource.cdktfStack);
}

type Values = Readonly<Record<string, unknown>>;
type Section = Readonly<Record<string, Values>>;

/** `{ resource: { ids_endpoint: { edge: { … } } } }`, or the same under `data`. */
type Fragment = Values & { readonly resource?: Section; readonly data?: Section };

function withLiteralBody(fragment: Fragment, stack: TerraformStack): Fragment | LiteralFragment {
  const { resource, data, ...more } = fragment;
  const section = resource ?? data;
  if (section === undefined || Object.values(more).some((each) => each !== undefined)) {
    return fragment;
  }
  const literals = mapped(section, (body, name) =>
    isToken(name) ? notLiteral : literal(body, stack),
  );
  if (Object.values(literals).some((named) => Object.values(named).includes(notLiteral))) {
    return fragment;
  }
  return new LiteralFragment(resource === undefined ? "data" : "resource", literals);
}

function mapped(section: Section, change: (body: unknown, name: string) => unknown): Section {
  const types: Record<string, Values> = {};
  for (const type in section) {
    const named: Record<string, unknown> = (types[type] = {});
    for (const name in section[type]) named[name] = change(section[type][name], name);
  }
  return types;
}

/** A fragment that looks like any other, and that cdktf treats as one token. */
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
    if (context.preparing) return undefined;
    const { resource, data } = this;
    const section = resource ?? data ?? {};
    const passed = isSynthesis(context)
      ? mapped(section, (body) => new LiteralBody(body))
      : section;
    return passedOn(resource === undefined ? { data: passed } : { resource: passed }, context);
  }

  toString(): string {
    return Token.asString(this);
  }
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
 * Whether a third pass follows: a stack resolves itself, and has no overrides. They are merged into the
 * resources between the second and the third pass.
 */
const isSynthesis = ({ scope }: IResolveContext): boolean =>
  TerraformStack.isStack(scope) &&
  // eslint-disable-next-line @typescript-eslint/dot-notation -- private
  Object.keys(scope["rawOverrides"] as object).length === 0;

const notLiteral = Symbol("not literal");

/** A copy of a value as cdktf resolves it; `notLiteral` if a part of it may be a token. */
function literal(value: unknown, stack: TerraformStack): unknown {
  switch (typeof value) {
    case "string":
      return isToken(value) ? resolvedReference(value, stack) : value;
    case "number":
      // Number tokens, and results of calculations with them, are far below.
      return value > -1e280 ? value : notLiteral;
    case "boolean":
    case "undefined":
      return value;
    case "object":
      if (!isRecord(value)) return null;
      return Array.isArray(value) ? literalList(value, stack) : literalMap(value, stack);
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

function literalMap(map: Values, stack: TerraformStack): unknown {
  if (Object.getPrototypeOf(map) !== Object.prototype || "resolve" in map) return notLiteral;
  const copy: Record<string, unknown> = {};
  for (const key in map) {
    const each = isToken(key) ? notLiteral : literal(map[key], stack);
    if (each === notLiteral) return notLiteral;
    if (each !== undefined) copy[key] = each;
  }
  return copy;
}

/** What cdktf resolves a single reference within a stack to; `notLiteral` for any other string. */
function resolvedReference(value: string, stack: TerraformStack): unknown {
  if (!/^\$\{TfToken\[[^\]]*\]\}$/.test(value)) return notLiteral;
  const [token] = Tokenization.reverseString(value).tokens;
  if (token === undefined || !isReference(token) || token.originStack !== stack) return notLiteral;
  return isToken(token.identifier) ? notLiteral : `\${${token.identifier}}`;
}

/** Whether cdktf may find something in a string: a token, an expression, a number token. */
const isToken = (value: string): boolean => /\{|e\+2|Token Value/.test(value);
