import { check } from "../../../schema/check";
import { formatPath } from "../../../schema/finding";
import type { Values } from "../../../schema/resource-rule";
import type {
  ResourceIdentityData,
  ResourceIdentityDataInit,
} from "../../wire/tfplugin6/tfplugin6";
import type { Context } from "../context";
import { wirePath } from "../diagnostic";
import type { ResourceImplementation } from "../implementation";
import { PrivateState } from "../private-state";
import { ProviderError } from "../provider-error";
import type { Session } from "../session";
import { importedMark } from "./resource-identity";

/** What an import by identity returns to Terraform, before its state is encoded. */
export interface ImportedByIdentity {
  readonly state: Values;
  /** The identity that was given, which the following read completes. */
  readonly identity: ResourceIdentityDataInit;
  readonly private: Uint8Array;
}

/** Converts an identity to the partial state that the following read needs. */
export function importByIdentity<Client>(
  session: Session<Client>,
  implementation: ResourceImplementation<Client>,
  { identityData }: ResourceIdentityData,
  context: () => Context<Client>,
): ImportedByIdentity {
  const { type, identity: declaration } = implementation.declaration;
  if (declaration === undefined) {
    throw new ProviderError({
      summary: "Import Not Supported",
      detail: `A resource of type ${type} has no identity, so it cannot be imported by it.`,
    });
  }
  const compiled = session.compiled(declaration);
  const identity = compiled.decodeConfig(identityData);
  const finding = check(declaration, identity, () => false).find(
    ({ severity }) => severity === "error",
  );
  if (finding !== undefined) {
    throw new ProviderError({
      summary: "Invalid Import Identity",
      detail: `${formatPath(wirePath(compiled.type, finding.path))} ${finding.message}.`,
    });
  }
  const mark = new PrivateState(new Uint8Array());
  mark.set(importedMark, "identity");
  return {
    state: implementation.importByIdentity?.(identity, context()) ?? identity,
    identity: { identityData: compiled.encode(identity) },
    private: mark.toBytes(),
  };
}
