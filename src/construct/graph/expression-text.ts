import { Tokenization, type TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { ReferenceResolver } from "./reference-resolver";

/** Writes a reference to an element of another stack. */
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
