/** A variable of an agent, set by a resource. */
export interface SetVariable {
  readonly address: string;
  readonly name: string;
  /** How it is merged with other values. */
  readonly strategy: string;
}

/** A variable whose value is lost, or which allows no other. */
interface EnvClash<Variable> {
  readonly variable: Variable;
  readonly other: Variable;
  readonly isRefused: boolean;
}

/**
 * Finds variables of one agent that are set more than once. The platform processes resources in the order of their
 * addresses: `replace` discards earlier values, `append` and `prepend` keep them, and `error` allows no other value.
 *
 * @param meet checks whether a build may contain both
 */
export function envClashes<Variable extends SetVariable>(
  variables: readonly Variable[],
  meet: (one: Variable, other: Variable) => boolean = () => true,
): readonly EnvClash<Variable>[] {
  const ordered = [...variables].sort((one, other) => (one.address < other.address ? 1 : -1));
  return ordered.flatMap((variable, at) => {
    const { name, strategy } = variable;
    const isSame = (each: Variable) =>
      each !== variable && each.name === name && meet(each, variable);
    const isRefused = strategy === "error";
    const other = isRefused
      ? variables.find(isSame)
      : ordered.slice(0, at).find((each) => each.strategy === "replace" && isSame(each));
    return other === undefined ? [] : [{ variable, other, isRefused }];
  });
}
