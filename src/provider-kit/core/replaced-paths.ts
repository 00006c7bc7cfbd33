import { isRecord } from "../../json/plain-json";
import type { Path } from "../../schema/finding";
import { equalValues } from "../cty/equal";
import type { CtyType } from "../cty/type";

/**
 * Filters the paths that a provider returns in `requires_replace`: keeps those whose values the plan changes. Terraform
 * ignores the others.
 *
 * @param paths in Terraform's names
 */
export const replacedPaths = (
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
