import type { AttributePathInit, AttributePathStepInit } from "../wire/tfplugin6/tfplugin6-value";
import type { CtyPath } from "./error";
import type { CtyType } from "./type";

/**
 * Translates a path of JavaScript property names to an attribute path of the protocol.
 *
 * The path ends early where Terraform cannot follow it: at a set, whose elements have no address,
 * at a dynamic value, and at a step that the type does not have.
 */
export function toAttributePath(type: CtyType, path: CtyPath): AttributePathInit {
  const steps: AttributePathStepInit[] = [];
  let current: CtyType = type;
  for (const step of path) {
    const next = follow(current, step);
    if (next === undefined) break;
    steps.push(next.step);
    current = next.type;
  }
  return { steps };
}

interface Followed {
  readonly step: AttributePathStepInit;
  readonly type: CtyType;
}

function follow(type: CtyType, step: string | number): Followed | undefined {
  if (typeof type === "string" || "set" in type) return undefined;
  if ("object" in type) {
    const field = type.object.find(({ name }) => name === step);
    return field && { step: { attributeName: field.wire }, type: field.type };
  }
  if ("map" in type) {
    return typeof step === "string"
      ? { step: { elementKeyString: step }, type: type.map }
      : undefined;
  }
  if (typeof step !== "number") return undefined;
  const element = "list" in type ? type.list : type.tuple[step];
  return element && { step: { elementKeyInt: step }, type: element };
}
