import type { Interruption } from "../exec/interruption";
import { type Predecessors } from "../synthesis/choose-stacks";
import type { Stack } from "../synthesis/manifest";
import type { Report } from "./report";
import { isDone, type StackResult } from "./stack-result";

/**
 * Runs stacks one after another. Skips stacks that depend on one that was not finished, and all stacks after
 * an interruption.
 *
 * @param stacks in an order in which each comes after its predecessors
 */
export async function runStacks(
  stacks: readonly Stack[],
  before: Predecessors,
  run: (stack: Stack) => Promise<StackResult>,
  { report, interruption }: { readonly report: Report; readonly interruption: Interruption },
): Promise<readonly StackResult[]> {
  const results: StackResult[] = [];
  for (const stack of stacks) {
    const unfinished = results.find(
      (result) => before(stack).includes(result.name) && !isDone(result),
    );
    const skipped: StackResult = {
      name: stack.name,
      outcome: "not run",
      diagnostics: [],
      ...(unfinished !== undefined && { because: unfinished.name }),
    };
    const isSkipped = unfinished !== undefined || interruption.exitCode !== undefined;
    const result = isSkipped ? skipped : await run(stack);
    report.end(result);
    results.push(result);
  }
  return results;
}
