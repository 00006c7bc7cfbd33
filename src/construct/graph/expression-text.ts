import {
  DefaultTokenResolver,
  StringConcat,
  Tokenization,
  type IPostProcessor,
  type IResolvable,
  type IResolveContext,
  type TerraformStack,
} from "cdktf";
import type { IConstruct } from "constructs";
import { isReference } from "../token/reference";

/** How a reference to an element of another stack is written. */
export type NameOutside = (stack: TerraformStack, reference: string) => string;

/**
 * A value with its tokens as Terraform reads them: `${workspace_agent.main.id}`.
 *
 * Unlike cdktf's own resolution, it creates no data source for a reference to another stack.
 *
 * @param nameOutside @default as in that stack
 * @returns undefined for a value that cannot be resolved: synthesis reports what is wrong with it
 */
export function withExpressions(
  scope: IConstruct,
  value: unknown,
  nameOutside: NameOutside = (_stack, reference) => reference,
): unknown {
  try {
    return Tokenization.resolve(value, { scope, resolver: new Naming(nameOutside) });
  } catch {
    return undefined;
  }
}

class Naming extends DefaultTokenResolver {
  readonly #nameOutside: NameOutside;

  constructor(nameOutside: NameOutside) {
    super(new StringConcat());
    this.#nameOutside = nameOutside;
  }

  override resolveToken(
    token: IResolvable,
    context: IResolveContext,
    postProcessor: IPostProcessor,
  ): unknown {
    if (!isReference(token)) return super.resolveToken(token, context, postProcessor) as unknown;
    const { identifier, originStack: origin } = token;
    const isOutside = origin !== undefined && !context.scope.node.scopes.includes(origin);
    const name = isOutside ? this.#nameOutside(origin, identifier) : identifier;
    return context.suppressBraces === true ? name : `\${${name}}`;
  }
}
