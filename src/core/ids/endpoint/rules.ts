import { TerraformResource } from "cdktf";
import { isToken, type StackFinding, type StackMember } from "../../construct";

/** Finds endpoints of a stack that have the same full name. */
export function* uniqueFullNames(members: readonly StackMember[]): Generator<StackFinding> {
  const first = new Map<string, string>();
  for (const { construct, values } of members) {
    const key = fullName(construct.resource, values);
    if (key === undefined) continue;
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, construct.node.path);
      continue;
    }
    yield {
      construct,
      finding: {
        code: "DUPLICATE",
        severity: "error",
        path: ["endpointId"],
        message: `must differ from that of ${other}, which has the same project and location (got ${JSON.stringify(values["endpointId"])})`,
      },
    };
  }
}

/**
 * Returns a key for the endpoint's full name; undefined when the name is not known, or when the
 * number of endpoints depends on `count` or `forEach`. Absent parts are the same for all endpoints
 * of one provider.
 */
function fullName(resource: unknown, values: StackMember["values"]): string | undefined {
  if (!TerraformResource.isTerraformResource(resource)) return undefined;
  if (resource.count !== undefined || resource.forEach !== undefined) return undefined;
  const parts = [values["project"], values["location"], values["endpointId"]];
  if (parts.some((part) => isToken(part))) return undefined;
  const provider = parts.includes(undefined) ? (resource.provider?.fqn ?? "") : "";
  return JSON.stringify([provider, ...parts]);
}
