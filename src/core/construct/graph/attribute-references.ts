import {
  DefaultTokenResolver,
  type IPostProcessor,
  type IResolvable,
  type IResolveContext,
  StringConcat,
  type TerraformStack,
  Tokenization,
} from "cdktf";
import type { IConstruct } from "constructs";
import { isReference, type Reference } from "../token/is-token";
import {
  attributesInText,
  attributesReadInText,
  type AttributeTraversal,
} from "../token/traversal";

/** An attribute that a value contains unchanged. */
export interface AttributeReference extends AttributeTraversal {
  /** The stack of the element, if it is not the value's stack. */
  readonly outside: TerraformStack | undefined;
}

/**
 * Returns the attributes that a value passes on, in its strings, lists and maps. This resolves the value: for
 * many values, `StackContext.references` is cheaper, and enough if only the elements matter.
 */
export const attributeReferences = (scope: IConstruct, value: unknown): AttributeReference[] =>
  referencesBy(attributesInText, scope, value);

/**
 * Like {@link attributeReferences}, of everything that a value reads, whatever it makes of it: also of whole elements in
 * functions, and of what is declared not to be secret.
 */
export const readReferences = (scope: IConstruct, value: unknown): AttributeReference[] =>
  referencesBy(attributesReadInText, scope, value);

function referencesBy(
  attributesIn: (text: string) => readonly AttributeTraversal[],
  scope: IConstruct,
  value: unknown,
): AttributeReference[] {
  const stacks: TerraformStack[] = [];
  const resolved = withExpressions(scope, value, (stack, reference) => {
    if (!stacks.includes(stack)) stacks.push(stack);
    return `${outsideMark}${stacks.indexOf(stack)}_${reference.replace(/^data\./, dataMark)}`;
  });
  const found: AttributeReference[] = [];
  for (const string of stringsIn(resolved)) {
    for (const { address, attribute } of attributesIn(string)) {
      found.push({ ...elsewhere(address, stacks), attribute });
    }
  }
  return found;
}

/** Prefixes of the address of an element of another stack while expressions are parsed. */
const outsideMark = "outside_stack_";
const dataMark = "data_of_";

function elsewhere(
  address: string,
  stacks: readonly TerraformStack[],
): Pick<AttributeReference, "address" | "outside"> {
  const [mark, index] = /^outside_stack_(\d+)_/.exec(address) ?? [];
  if (mark === undefined) return { address, outside: undefined };
  const there = address.slice(mark.length);
  return {
    address: there.startsWith(dataMark) ? `data.${there.slice(dataMark.length)}` : there,
    outside: stacks[Number(index)],
  };
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) {
    for (const each of Object.values(value)) yield* stringsIn(each);
  }
}

type NameOutside = (stack: TerraformStack, reference: string) => string;

/**
 * Returns a value with its tokens as Terraform reads them: `${workspace_agent.main.id}`.
 *
 * Unlike cdktf's own resolution, it creates no data source for a reference to another stack.
 *
 * @param nameOutside @default as in that stack
 * @returns undefined for a value that cannot be resolved: synthesis reports the problem
 */
export function withExpressions(
  scope: IConstruct,
  value: unknown,
  nameOutside: NameOutside = (_stack, reference) => reference,
): unknown {
  const resolver = new ReferenceResolver(({ identifier, originStack: origin }, context) => {
    const isOutside = origin !== undefined && !context.scope.node.scopes.includes(origin);
    const name = isOutside ? nameOutside(origin, identifier) : identifier;
    return context.suppressBraces === true ? name : `\${${name}}`;
  });
  try {
    return Tokenization.resolve(value, { scope, resolver });
  } catch {
    return undefined;
  }
}

type ResolveReference = (reference: Reference, context: IResolveContext) => string;

/**
 * Resolves tokens as cdktf does, except references. cdktf's own resolution of a reference to another
 * stack creates a data source.
 */
export class ReferenceResolver extends DefaultTokenResolver {
  readonly #resolveReference: ResolveReference;

  constructor(resolveReference: ResolveReference) {
    super(new StringConcat());
    this.#resolveReference = resolveReference;
  }

  override resolveToken(
    token: IResolvable,
    context: IResolveContext,
    postProcessor: IPostProcessor,
  ): unknown {
    return isReference(token)
      ? this.#resolveReference(token, context)
      : (super.resolveToken(token, context, postProcessor) as unknown);
  }
}
