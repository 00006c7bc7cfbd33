import { CommandError, ExitCode } from "../invocation/failure";
import type { Stack } from "./manifest";

interface Choice {
  /** Names in which `*` and `?` match other characters. An empty list chooses the only stack. */
  readonly patterns: readonly string[];
  /** True if stacks come after their dependents. */
  readonly isReversed: boolean;
  /** True if all predecessors of chosen stacks must be chosen too. */
  readonly isComplete: boolean;
}

/**
 * Chooses stacks, and sorts them so that each comes after its predecessors.
 *
 * @throws CommandError if a pattern matches no stack, if the choice is ambiguous, or if a predecessor of a chosen stack is
 * missing
 */
export function chooseStacks(stacks: readonly Stack[], choice: Choice): readonly Stack[] {
  const chosen = named(stacks, choice.patterns);
  const before = predecessors(stacks, choice.isReversed);
  if (choice.isComplete) refuseIncomplete(chosen, before, choice.isReversed);
  return sorted(chosen, before);
}

/** Returns the names of the stacks that have to come before a stack. */
type Predecessors = (stack: Stack) => readonly string[];

/** @param isReversed true if stacks come after their dependents, as when they are destroyed */
export function predecessors(stacks: readonly Stack[], isReversed: boolean): Predecessors {
  return ({ name, dependencies }) =>
    isReversed
      ? stacks.filter((other) => other.dependencies.includes(name)).map((other) => other.name)
      : dependencies;
}

function named(stacks: readonly Stack[], patterns: readonly string[]): readonly Stack[] {
  const names = stacks.map(({ name }) => name).join(", ");
  if (stacks.length === 0) {
    throw new CommandError("The app has no stacks.", "Add a `TerraformStack` to it.");
  }
  if (patterns.length === 0 && stacks.length > 1) {
    throw new CommandError(
      "The app has several stacks, and the command does not say which to use.",
      `Add the names of stacks, or '*' for all of them: ${names}.`,
      ExitCode.usage,
    );
  }
  const unknown = patterns.find((pattern) => !stacks.some(({ name }) => matches(name, pattern)));
  if (unknown !== undefined) {
    throw new CommandError(
      `No stack is called "${unknown}".`,
      `The stacks are: ${names}.`,
      ExitCode.usage,
    );
  }
  return patterns.length === 0
    ? stacks
    : stacks.filter(({ name }) => patterns.some((pattern) => matches(name, pattern)));
}

function matches(name: string, pattern: string): boolean {
  const expression = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${expression}$`, "s").test(name);
}

function refuseIncomplete(
  chosen: readonly Stack[],
  before: Predecessors,
  isReversed: boolean,
): void {
  for (const stack of chosen) {
    const missing = before(stack).filter((name) => !chosen.some((each) => each.name === name));
    if (missing.length === 0) continue;
    const others = missing.join(", ");
    throw new CommandError(
      isReversed
        ? `Other stacks use the outputs of ${stack.name}: ${others}.`
        : `${stack.name} uses the outputs of stacks that are not chosen: ${others}.`,
      "Add their names. If they are up to date, add --ignore-missing-stack-dependencies instead.",
      ExitCode.usage,
    );
  }
}

/**
 * Sorts stacks. cdktf refuses circles, but a manifest can come from another tool: circles are cut anywhere.
 */
function sorted(chosen: readonly Stack[], before: Predecessors): readonly Stack[] {
  const done = new Set<Stack>();
  const visit = (stack: Stack, above: readonly Stack[]): void => {
    if (done.has(stack) || above.includes(stack)) return;
    const names = before(stack);
    for (const each of chosen) if (names.includes(each.name)) visit(each, [...above, stack]);
    done.add(stack);
  };
  for (const stack of chosen) visit(stack, []);
  return [...done];
}
