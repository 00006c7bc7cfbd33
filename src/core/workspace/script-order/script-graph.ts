/** Which scripts wait for which. The names are of the caller's choice, such as paths or addresses. */
export class ScriptGraph {
  readonly #prerequisites = new Map<string, Map<string, string>>();

  /**
   * Makes each script of `run` wait for each of `after`.
   *
   * @param requires `success` or `completion`
   * @returns what is wrong: a script that waits for itself, directly or through others, or two different
   * requirements. What is wrong is left out
   */
  add(run: readonly string[], after: readonly string[], requires: string): readonly string[] {
    return [...new Set(run)].flatMap((dependent) =>
      [...new Set(after)].flatMap((prerequisite) => {
        const message = this.#add(dependent, prerequisite, requires);
        return message === undefined ? [] : [message];
      }),
    );
  }

  /** The scripts that a script waits for directly. */
  before(script: string): readonly string[] {
    return [...(this.#prerequisites.get(script)?.keys() ?? [])];
  }

  /** Sorts scripts so that each comes after the scripts it waits for, and otherwise keeps their order. */
  sorted<Script>(
    scripts: readonly Script[],
    nameOf: (script: Script) => string,
  ): readonly Script[] {
    const byName = new Map(scripts.map((script) => [nameOf(script), script]));
    const sorted = new Set<Script>();
    const add = (name: string): void => {
      const script = byName.get(name);
      if (script === undefined || sorted.has(script)) return;
      for (const earlier of this.before(name)) add(earlier);
      sorted.add(script);
    };
    for (const name of byName.keys()) add(name);
    return [...sorted];
  }

  #add(dependent: string, prerequisite: string, requires: string): string | undefined {
    const known = this.#prerequisites.get(dependent) ?? new Map<string, string>();
    const other = known.get(prerequisite);
    if (other !== undefined && other !== requires) {
      return `${dependent} must not wait for both ${other} and ${requires} of ${prerequisite}`;
    }
    const path = this.#path(prerequisite, dependent);
    if (path !== undefined) {
      const circle = [dependent, ...path].join(" after ");
      return `a script must not wait for itself: ${circle}`;
    }
    this.#prerequisites.set(dependent, known.set(prerequisite, requires));
    return undefined;
  }

  /** Returns the scripts from one to another that it waits for, with both. */
  #path(from: string, to: string): readonly string[] | undefined {
    const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
    for (const script of cameFrom.keys()) {
      if (script === to) {
        const path: string[] = [];
        for (let at: string | undefined = to; at !== undefined; at = cameFrom.get(at))
          path.unshift(at);
        return path;
      }
      for (const earlier of this.before(script)) {
        if (!cameFrom.has(earlier)) cameFrom.set(earlier, script);
      }
    }
    return undefined;
  }
}
