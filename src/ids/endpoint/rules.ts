import { TerraformResource } from "cdktf";
import { isToken, type StackFinding, type StackMember } from "../../construct";

/** Two endpoints of one stack must not have one full name. */
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
        message: `must be another one than that of ${other}, whose project and location are the same (got ${JSON.stringify(values["endpointId"])})`,
      },
    };
  }
}

/**
 * What makes the endpoint's name; undefined when it is not known, or when `count` or `forEach` decide
 * how many of it there are. Absent parts are the same for all endpoints of one provider.
 */
function fullName(resource: unknown, values: StackMember["values"]): string | undefined {
  if (!TerraformResource.isTerraformResource(resource)) return undefined;
  if (resource.count !== undefined || resource.forEach !== undefined) return undefined;
  const given = [values["project"], values["location"], values["endpointId"]];
  if (given.some((part) => isToken(part))) return undefined;
  const provider = given.includes(undefined) ? (resource.provider?.fqn ?? "") : "";
  return JSON.stringify([provider, ...given]);
}
