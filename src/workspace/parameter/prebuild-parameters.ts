import { isToken, type StackFinding, type StackMember } from "../../construct";
import { presenceOf } from "../template/presence";
import { isOf } from "../template/terraform-type";

/** Nobody can be asked for a value when a workspace is built in advance. */
export function* prebuildParameters(members: readonly StackMember[]): Generator<StackFinding> {
  const presets = members.filter(
    (member) =>
      isOf(member, "workspace_workspace_preset") && hasPrebuilds(member.values["prebuilds"]),
  );
  if (presets.length === 0) return;
  const needed = members.filter(isNeeded).map(({ values }) => String(values["name"]));
  if (needed.length === 0) return;
  for (const { construct, values } of presets) {
    const given = values["parameters"] ?? {};
    if (typeof given !== "object" || isToken(given) || Object.keys(given).some(isToken)) continue;
    const missing = needed.filter((name) => !Object.hasOwn(given, name));
    if (missing.length === 0) continue;
    const names = missing.map((name) => JSON.stringify(name)).join(", ");
    yield {
      construct,
      finding: {
        code: "ADVICE",
        severity: "warning",
        path: ["prebuilds"],
        message: `needs values for all parameters without a default, because nobody is asked when a workspace is built in advance: set ${names}`,
      },
    };
  }
}

function hasPrebuilds(prebuilds: unknown): boolean {
  if (typeof prebuilds !== "object" || prebuilds === null || isToken(prebuilds)) return false;
  return !Array.isArray(prebuilds) || prebuilds.length > 0;
}

function isNeeded(member: StackMember): boolean {
  const { values } = member;
  if (!isOf(member, "workspace_parameter") || (values["default"] ?? null) !== null) return false;
  const { name } = values;
  if (typeof name !== "string" || isToken(name)) return false;
  const { instances, condition } = presenceOf(member);
  return condition === "" && instances !== 0;
}
