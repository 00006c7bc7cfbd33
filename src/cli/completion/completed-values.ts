import type { Argument } from "commander";

const known = new WeakMap<Argument, () => readonly string[]>();

/** Makes shells complete values of an argument that its help does not list. */
export function withCompletion(argument: Argument, values: () => readonly string[]): Argument {
  known.set(argument, values);
  return argument;
}

/** Returns the values that shells complete; undefined if there may be any. */
export const completedValues = (argument: Argument | undefined): readonly string[] | undefined =>
  argument?.argChoices ?? (argument && known.get(argument)?.());
