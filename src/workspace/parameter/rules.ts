import type { StackFinding, StackMember } from "../../construct";
import { uniqueValues } from "../template/unique-values";

/** A parameter's name is unique: the platform passes values by name. */
export const uniqueParameterNames = uniqueValues({ attribute: "name", where: "in the template" });

/** Warns of `monotonic` on a parameter whose value cannot change. */
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
          "has no effect, because the value cannot be changed: make the parameter mutable, or remove monotonic",
      },
    };
  }
}
