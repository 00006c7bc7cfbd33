import type { PolicyProgram } from "../engine/program";
import type { PolicyFields } from "./policy-fields";

/** The fields of a policy in another language. */
const programFields = ["type", "data", "remote", "configMapRef"] as const;
/** Further fields of a whole policy, which add a resource of a cluster to its input. */
const clusterFields = ["includeSpec", "includeObjectMeta", "includeTypeMeta"] as const;
/** Further fields of a whole policy, which add something to its input. */
export const inputFields = ["fetchConfigFile", ...clusterFields] as const;

/**
 * Reads a policy in CUE or Rego; undefined if it is missing or a problem was reported.
 *
 * @param missing what a policy in CUE does with fields that only it has
 * @param more the names of further fields
 */
export function readProgram(
  parent: PolicyFields,
  missing: PolicyProgram["missing"],
  more: readonly string[] = [],
): PolicyProgram | undefined {
  const fields = parent.fields("policy", [...programFields, ...more]);
  if (fields === undefined) return undefined;
  const elsewhere = "is not supported: put the policy into data";
  fields.refuseIfSet("remote", elsewhere);
  fields.refuseIfSet("configMapRef", elsewhere);
  for (const name of clusterFields) {
    if (!more.includes(name) || fields.boolean(name) !== true) continue;
    // Without the field alone, conditions about what it adds would mean something else.
    const reason = "describes a resource of a cluster, and only an image is checked here";
    fields.refuse(name, `${reason}: remove the field, and what the policy says about it`);
  }
  if (!fields.has("type")) fields.refuse("type", "is missing: cue or rego");
  const type = fields.oneOf("type", ["cue", "rego"]);
  if (fields.has("remote") || fields.has("configMapRef")) return undefined;
  const data = fields.requiredString("data");
  if (type === undefined || data === undefined) return undefined;
  if (type === "rego" && !/^[ \t]*package[ \t]+sigstore[ \t]*(?:[#;].*)?$/m.test(data)) {
    fields.refuse("data", "must be in the package sigstore, and define isCompliant");
    return undefined;
  }
  return { type, data, ...(type === "cue" && missing !== undefined && { missing }) };
}
