import {
  Tokenization,
  type TerraformStack,
  DefaultTokenResolver,
  StringConcat,
  type IPostProcessor,
  type IResolvable,
  type IResolveContext,
} from "cdktf";
import type { IConstruct } from "constructs";
import { isReference, type Reference } from "../token/is-token";

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
