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
  const named = new Map<string, Variable[]>();
  for (const each of variables) {
    const same = named.get(each.name);
    if (same === undefined) named.set(each.name, [each]);
    else same.push(each);
  }
  return variables.toSorted(latestFirst).flatMap((variable) => {
    const others = (named.get(variable.name) ?? []).filter(
      (each) => each !== variable && meet(each, variable),
    );
    const isRefused = variable.strategy === "error";
    const [other] = isRefused
      ? others
      : others
          .filter((each) => each.strategy === "replace" && each.address > variable.address)
          .sort(latestFirst);
    return other === undefined ? [] : [{ variable, other, isRefused }];
  });
}

const latestFirst = (one: SetVariable, other: SetVariable): number =>
  one.address < other.address ? 1 : -1;
