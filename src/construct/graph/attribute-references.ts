import type { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { withExpressions } from "./expression-text";
import { attributesInText, type AttributeTraversal } from "../token/attribute-traversal";

/** An attribute that a value hands on. */
export interface AttributeReference extends AttributeTraversal {
  /** The other stack in which the element stands; undefined for the value's own. */
  readonly outside: TerraformStack | undefined;
}

/**
 * The attributes that a value hands on, in the texts, lists and maps of it. It resolves the value: for
 * many of them, `StackContext.references` is cheaper and enough where the element alone counts.
 */
export function attributeReferences(scope: IConstruct, value: unknown): AttributeReference[] {
  const stacks: TerraformStack[] = [];
  const resolved = withExpressions(scope, value, (stack, reference) => {
    if (!stacks.includes(stack)) stacks.push(stack);
    return `${outsideMark}${stacks.indexOf(stack)}_${reference.replace(/^data\./, dataMark)}`;
  });
  const found: AttributeReference[] = [];
  for (const text of textsIn(resolved)) {
    for (const { address, attribute } of attributesInText(text)) {
      found.push({ ...elsewhere(address, stacks), attribute });
    }
  }
  return found;
}

/** Stand before the address of an element of another stack while expressions are taken apart. */
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

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) {
    for (const each of Object.values(value)) yield* textsIn(each);
  }
}
