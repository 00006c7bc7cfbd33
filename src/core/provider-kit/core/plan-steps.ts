import { isRecord } from "../../json/plain-json";
import type { Path } from "../../schema/finding";
import { equalValues } from "../cty/equal";
import type { CtyType } from "../cty/type";
import { type CoreDiagnostic, distinct } from "./diagnostic";
import type { CheckedPlan } from "./resource-calls";

export type PlannedAction = "create" | "update" | "replace" | "delete" | "no-op";

/** An object that the configuration has, before it is planned. */
interface Wanted {
  readonly type: CtyType;
  /** The state; null for a creation. */
  readonly prior: CheckedPlan["planned"];
  readonly isTainted: boolean;
  /** True if something in `replace_triggered_by` changes. @default false */
  readonly isTriggered?: boolean;
}

interface Steps<Plan> {
  /** Undefined when the plan failed. */
  readonly action: PlannedAction | undefined;
  readonly plan: Plan;
  /** The paths that cause a replacement, in Terraform's names. */
  readonly replaces: readonly Path[];
  readonly diagnostics: readonly CoreDiagnostic[];
}

/**
 * Decides the action for an object that the configuration has.
 *
 * As in Terraform, a replacement is planned twice: against the state, and again as a creation. A tainted object is
 * planned as a creation only.
 *
 * @param ask plans against the state or as a creation, with the private data of an earlier plan
 */
export async function planSteps<Plan extends CheckedPlan>(
  { type, prior, isTainted, isTriggered = false }: Wanted,
  ask: (isCreation: boolean, earlier?: Plan) => Promise<Plan>,
): Promise<Steps<Plan>> {
  const plan = await ask(prior === null || isTainted);
  const { planned, requiresReplace, diagnostics } = plan;
  const step = { plan, replaces: [], diagnostics };
  if (planned === null) return { ...step, action: undefined };
  if (prior === null) return { ...step, action: "create" };
  if (isTainted) return { ...step, action: "replace" };
  const replaces = replacedPaths(type, requiresReplace, prior, planned);
  if (replaces.length === 0 && !isTriggered) {
    return { ...step, action: equalValues(type, planned, prior) ? "no-op" : "update" };
  }
  const creation = await ask(true, plan);
  return {
    action: creation.planned === null ? undefined : "replace",
    plan: creation,
    replaces,
    diagnostics: distinct([...diagnostics, ...creation.diagnostics]),
  };
}

/**
 * Filters the paths that a provider returns in `requires_replace`: keeps those whose values the plan changes. Terraform
 * ignores the others.
 *
 * @param paths in Terraform's names
 */
const replacedPaths = (
  type: CtyType,
  paths: readonly Path[],
  prior: unknown,
  planned: unknown,
): readonly Path[] => paths.filter((path) => isChanged(type, path, prior, planned));

function isChanged(type: CtyType, path: Path, prior: unknown, planned: unknown): boolean {
  const [step, ...rest] = path;
  if (step === undefined || typeof type === "string" || "set" in type) {
    return !equalValues(type, prior, planned);
  }
  const inside = (of: CtyType | undefined, name: string): boolean =>
    of !== undefined && isChanged(of, rest, at(prior, name), at(planned, name));
  if ("object" in type) {
    const field = type.object.find(({ wire }) => wire === step);
    return inside(field?.type, field?.name ?? "");
  }
  if ("map" in type) return inside(type.map, String(step));
  return inside("list" in type ? type.list : type.tuple[Number(step)], String(step));
}

function at(value: unknown, name: string): unknown {
  if (!isRecord(value)) return value;
  return Object.hasOwn(value, name) ? value[name] : null;
}
