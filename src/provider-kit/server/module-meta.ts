import type { Declaration } from "../../schema/declaration";
import type { ConfigOf } from "../../schema/infer";
import type { DynamicValue } from "../wire/tfplugin6/tfplugin6";
import { ProviderError } from "./provider-error";
import type { Session } from "./session";

/**
 * Decodes and checks what a module says about itself. Terraform checks only the types.
 *
 * @param sent undefined in a call that has no such value
 * @returns undefined if the module says nothing
 * @throws ProviderError when a value breaks a rule
 * @throws Error when the declaration is not the provider's
 */
export function moduleMeta<D extends Declaration, Client>(
  session: Session<Client>,
  declaration: D,
  sent: DynamicValue | undefined,
): ConfigOf<D> | undefined {
  if (declaration !== session.definition.providerMeta) {
    throw new Error("context.meta needs the declaration that the provider has as providerMeta");
  }
  const compiled = session.compiled(declaration);
  if (sent === undefined || compiled.isNull(sent)) return undefined;
  const meta = compiled.decodeConfig(sent);
  const problems = compiled.validate(meta).filter(({ severity }) => severity === "ERROR");
  if (problems.length > 0) {
    throw new ProviderError({
      summary: "Invalid Provider Meta",
      detail: `The provider_meta block "${declaration.type}" of the module is invalid.\n\n${problems
        .map(({ detail }) => detail)
        .join("\n\n")}`,
    });
  }
  // The values were decoded by the declaration, from which their type is derived.
  return meta as ConfigOf<D>;
}
