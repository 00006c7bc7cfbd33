import { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import type { Finding } from "../../schema";
import { entryPoints, library, type Library } from "../library/library";

/**
 * Reports a construct in a stack of the other library; returns undefined if both belong to the same library.
 *
 * Each library accepts the other's stacks and tokens as its own, so mixing them often works at first and
 * fails later, with errors that do not name the cause.
 */
export function foreignStack(scope: IConstruct): Finding | undefined {
  const stack: IConstruct = TerraformStack.of(scope);
  if (stack instanceof TerraformStack) return undefined;
  const other = libraryOf(stack);
  if (other === undefined || other === library) return undefined;
  return {
    code: "CONFLICT",
    severity: "error",
    path: [],
    message:
      `must be in a stack of ${library}, but ${stack.node.path} is a stack of ${other}: write ` +
      `"${entryPoints[other]}" instead of "${entryPoints[library]}" in your imports`,
  };
}

/** Under this symbol, jsii gives each class its name: `{ fqn: "cdktf.TerraformStack", … }`. */
const runtimeType = Symbol.for("jsii.rtti");

/** The library whose TerraformStack a stack extends. A second copy of a library has the same name. */
function libraryOf(stack: IConstruct): Library | undefined {
  const names = classesOf(stack).map((type) => (type as Typed)[runtimeType]?.fqn);
  return (Object.keys(entryPoints) as Library[]).find((each) =>
    names.includes(`${each}.TerraformStack`),
  );
}

interface Typed {
  readonly [runtimeType]?: { readonly fqn?: string };
}

function classesOf(object: object): object[] {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (typeof prototype !== "object" || prototype === null) return [];
  return [prototype.constructor, ...classesOf(prototype)];
}
