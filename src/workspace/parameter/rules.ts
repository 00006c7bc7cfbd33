import type { StackFinding, StackMember } from "../../construct";
import { uniqueValues } from "../template/unique-values";

/** A parameter's name is one of its own: the platform hands values over by it. */
export const uniqueParameterNames = uniqueValues({ attribute: "name", where: "in the template" });

/** A direction in which a value may change means nothing where it cannot change. */
export function* idleMonotonic(members: readonly StackMember[]): Generator<StackFinding> {
  for (const { construct, values } of members) {
    if ((values["mutable"] ?? false) !== false) continue;
    const { validation } = values;
    const block: unknown = Array.isArray(validation) ? validation[0] : validation;
    if (typeof block !== "object" || block === null || !("monotonic" in block)) continue;
    if (typeof block.monotonic !== "string") continue;
    yield {
      construct,
      finding: {
        code: "ADVICE",
        severity: "warning",
        path: ["validation", "monotonic"],
        message:
          "has no effect, because the value cannot be changed at all: make the parameter mutable, or leave this out",
      },
    };
  }
}
