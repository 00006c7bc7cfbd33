import type { Diagnostic } from "../../planner/changes/diagnostic";
import { ruleIn } from "../../core/schema";
import type { Acknowledgement, Annotation, Stack } from "../synthesis/manifest";
import type { StackConfiguration } from "../synthesis/stack-configuration";

/** Adds to a warning about a resource who has acknowledged it. Returns anything else unchanged. */
export function withAcknowledgement(
  diagnostic: Diagnostic,
  { name, acknowledgements }: Pick<Stack, "name" | "acknowledgements">,
  { fullPathOf }: Pick<StackConfiguration, "fullPathOf">,
): Diagnostic {
  const { severity, code, address } = diagnostic;
  if (severity !== "warning" || code === undefined) return diagnostic;
  // A provider has no path in the configuration.
  const at = fullPathOf(address ?? "") ?? name;
  const nearest = acknowledgements
    .filter((each) => each.code === code && isWithin(at, each.path))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (nearest === undefined) return diagnostic;
  return { ...diagnostic, acknowledged: { path: nearest.path, reason: nearest.reason } };
}

const isWithin = (path: string, scope: string): boolean =>
  scope === "" || path === scope || path.startsWith(`${scope}/`);

/** Leaves out the notes about acknowledgements that match a warning of the plan. */
export function withoutMatched(
  annotations: readonly Annotation[],
  diagnostics: readonly Diagnostic[],
): readonly Annotation[] {
  const isMatched = ({ code, path, reason }: Acknowledgement): boolean =>
    diagnostics.some(
      ({ code: found, acknowledged }) =>
        found === code && acknowledged?.path === path && acknowledged.reason === reason,
    );
  return annotations.filter(
    ({ code, stale }) =>
      code === undefined || stale === undefined || !isMatched({ code, ...stale }),
  );
}

/** Leaves out the warnings of providers that say what a construct has said, in the words of Terraform. */
export function withoutRepeated(
  diagnostics: readonly Diagnostic[],
  annotations: readonly Annotation[],
  { fullPathOf }: Pick<StackConfiguration, "fullPathOf">,
): readonly Diagnostic[] {
  const said = annotations.filter(({ level, code }) => level === "warning" && code !== undefined);
  return diagnostics.filter(({ severity, code, address, detail }) => {
    const at = fullPathOf(address ?? "");
    if (severity !== "warning" || at === undefined) return true;
    const found = ruleIn(detail);
    return !said.some(
      (each) =>
        each.code === code && isWithin(at, each.constructPath) && ruleIn(each.message) === found,
    );
  });
}
