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
  const at = found?.path ?? compiled.forbiddenNull(returned);
  if (at === undefined) return { values: returned, diagnostics: [] };
  const where = `${formatPath(wirePath(compiled.type, at))} of ${compiled.declaration.type}`;
  const what = {
    unknown: `The provider left ${where} unknown.`,
    "differs from the plan": `The provider returned a value of ${where} that differs from its plan.`,
    null: `The provider returned null for ${where}, which is declared as never null.`,
  }[found?.reason ?? "null"];
  return {
    values: withoutUnknown(returned as CtyValue) as Values,
    diagnostics: [
      bugDiagnostic("Unexpected Provider Result", what, attributeOf(compiled.type, at)),
    ],
  };
}
