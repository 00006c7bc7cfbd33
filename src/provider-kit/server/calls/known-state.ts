import { formatPath } from "../../../schema/finding";
import type { Values } from "../../../schema/resource-rule";
import { UNKNOWN } from "../../../schema/unknown";
import type { CtyValue } from "../../cty/value";
import { nonconformity, withoutUnknown } from "../../plan/conformity";
import type { DiagnosticInit } from "../../wire/tfplugin6/tfplugin6";
import type { Compiled } from "../compiled";
import { attributeOf, bugDiagnostic, wirePath } from "../diagnostic";

/**
 * A state that Terraform can store, with diagnostics for anything wrong in the handler's result.
 */
export interface KnownState {
  readonly values: Values | undefined;
  readonly diagnostics: readonly DiagnosticInit[];
}

/**
 * Checks a handler's result before Terraform does, so that the message names the provider.
 *
 * @param planned the planned values; by default, any known values are accepted
 */
export function knownState(
  compiled: Compiled,
  returned: Values | undefined,
  planned?: Values,
): KnownState {
  if (returned === undefined) return { values: undefined, diagnostics: [] };
  const found = nonconformity(compiled.type, planned ?? UNKNOWN, returned);
  if (found === undefined) return { values: returned, diagnostics: [] };
  const path = formatPath(wirePath(compiled.type, found.path));
  const what =
    found.reason === "unknown"
      ? `The provider left ${path} of ${compiled.declaration.type} unknown.`
      : `The provider returned a value of ${path} of ${compiled.declaration.type} that differs from its plan.`;
  return {
    values: withoutUnknown(returned as CtyValue) as Values,
    diagnostics: [
      bugDiagnostic("Unexpected Provider Result", what, attributeOf(compiled.type, found.path)),
    ],
  };
}
