import type { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { ReferenceWalk } from "./reference-walk";

/** An element that a value refers to. */
export interface ValueReference {
  readonly address: string;
  /** The stack in which it stands; undefined where the value is a text of the user's own. */
  readonly stack: TerraformStack | undefined;
}

/** What one value refers to; `StackContext.references` tells it of whole elements. */
export function referencesIn(scope: IConstruct, value: unknown): readonly ValueReference[] {
  const found: ValueReference[] = [];
  new ReferenceWalk(scope, (address, stack) => found.push({ address, stack })).value(value);
  return found;
}
