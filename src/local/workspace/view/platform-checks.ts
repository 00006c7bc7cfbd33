import { ownValue } from "../../../core/json/plain-json";
import { localPlatformError } from "../terraform/local-platform-error";
import type { PlannedChange } from "../terraform/resource-values";
import type { PlatformView } from "./seen";

/** @throws LocalPlatformError with all refusals, unless there are none */
export function refuse(
  refusals: readonly string[],
  reason = "Terraform accepts this, but the platform does not.",
  outcome = "Nothing was applied.",
): void {
  if (refusals.length === 0) return;
  throw localPlatformError("REFUSED", refusals.join("\n"), {
    advice: `${reason} ${outcome}`.trim(),
  });
}

/** Checks the parameters and external logins of a request against the plan. */
export function inputFindings(
  view: PlatformView,
  inputs: {
    readonly parameters: Readonly<Record<string, string>>;
    /** The values in the previous build. */
    readonly previous: Readonly<Record<string, string>>;
    /** Undefined if this build requires no external logins. */
    readonly externalAuth: Readonly<Record<string, string>> | undefined;
  },
): { readonly refusals: readonly string[]; readonly warnings: readonly string[] } {
  const { externalAuth } = inputs;
  const missing = view.externalAuth.filter(
    ({ id, optional }) => externalAuth !== undefined && !optional && !ownValue(externalAuth, id),
  );
  return {
    refusals: [
      ...view.parameters
        .filter(({ name, mutable, ephemeral, value }) => {
          const before = ownValue(inputs.previous, name);
          return !mutable && !ephemeral && before !== undefined && before !== (value ?? before);
        })
        .map(
          ({ name }) =>
            `Immutable parameter changed; Parameter "${name}" is not mutable, so it can't be updated ` +
            `after creating a workspace. It has the value "${ownValue(inputs.previous, name) ?? ""}".`,
        ),
      ...view.parameters
        .filter(({ name, value }) => {
          const given = ownValue(inputs.parameters, name);
          return given !== undefined && value !== undefined && given !== value;
        })
        .map(
          ({ name }) =>
            `The plan does not have the value that you entered for the parameter "${name}": the template does ` +
            "not use the platform's provider, see --product.",
        ),
      ...missing.map(({ id }) => `The owner must log in to the external provider "${id}" first.`),
    ],
    warnings: Object.keys(inputs.parameters)
      .filter((name) => !view.parameters.some((parameter) => parameter.name === name))
      .map((name) => `The template has no parameter "${name}": the value is ignored.`),
  };
}

/**
 * Warns if a claim replaces prebuilt resources: resources of other providers, which makes the prebuild useless, and
 * agents, whose machine then has an outdated token.
 */
export function claimWarnings(
  changes: readonly PlannedChange[],
  typePrefix: string,
): readonly string[] {
  return changes
    .filter(({ action }) => action === "replace")
    .flatMap(({ address, type, replacePaths = [] }) => {
      const because = replacePaths.length === 0 ? "" : ` because of ${replacePaths.join(", ")}`;
      if (type === `${typePrefix}agent`) {
        const cure =
          "Pass the agent's values that depend on the owner in another way, such as with an env resource.";
        return [
          `The claim replaces ${address}${because}, so its machine has an outdated token. ${cure}`,
        ];
      }
      if (type.startsWith(typePrefix)) return [];
      const cure =
        "Add the attributes that change with the owner to ignore_changes in its lifecycle.";
      return [`The claim replaces ${address}${because}, so users still wait for it. ${cure}`];
    });
}
