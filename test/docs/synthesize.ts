import { AnnotationMetadataEntryType, Testing, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { load } from "./load";
import type { Page, Snippet } from "./page";

type StackClass = new (scope: Construct, id: string) => TerraformStack;

/** Returns the stacks that a snippet exports. */
export function stackClasses(page: Page, snippet: Snippet): StackClass[] {
  return Object.values(load(page, snippet)).filter(
    (value): value is StackClass =>
      typeof value === "function" && value.prototype instanceof TerraformStack,
  );
}

/** Synthesizes the stacks of a snippet as an app would, with all validations. */
export function synthesize(page: Page, snippet: Snippet): readonly TerraformStack[] {
  const classes = stackClasses(page, snippet);
  if (classes.length === 0) throw new Error("the snippet exports no stack");
  return classes.map((Stack) => {
    const stack = new Stack(Testing.app(), "Demo");
    Testing.synth(stack, true);
    return stack;
  });
}

const warning: string = AnnotationMetadataEntryType.WARN;

/** Returns the warnings of a snippet's stacks. */
export const warningsOf = (page: Page, snippet: Snippet): readonly string[] =>
  synthesize(page, snippet).flatMap((stack) =>
    stack.node
      .findAll()
      .flatMap(({ node }) => node.metadata)
      .filter(({ type }) => type === warning)
      .map(({ data }) => String(data)),
  );

export function messageOf(run: () => void): string {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "";
}
