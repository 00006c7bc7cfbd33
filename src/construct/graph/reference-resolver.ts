import {
  DefaultTokenResolver,
  StringConcat,
  type IPostProcessor,
  type IResolvable,
  type IResolveContext,
} from "cdktf";
import { isReference, type Reference } from "../token/reference";

/** Returns the string that replaces a reference. */
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
