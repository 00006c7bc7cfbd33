import type { Values } from "../../schema/resource-rule";
import type { CoreDiagnostic } from "./diagnostic";
import type { PlannedAction } from "./plan-steps";
import type { CheckedPlan, DeferralReason } from "./resource-calls";

/** A resource as Terraform stores it in the state between two commands. */
export interface StoredResource {
  readonly state: Values;
  /** The stored identity. @default none */
  readonly identity?: Values | undefined;
  /** The provider's private data. @default empty */
  readonly private?: Uint8Array | undefined;
  /** True if the creation failed, so that the next plan replaces the resource. @default false */
  readonly isTainted?: boolean | undefined;
}

/** The plan of one resource. `ResourceHarness.apply` applies it, even with another provider process. */
export interface ResourcePlan extends Omit<CheckedPlan, "requiresReplace"> {
  /** Undefined when the plan failed. */
  readonly action: PlannedAction | undefined;
  /** The configuration; null to destroy. */
  readonly config: Values | null;
  /** The existing resource; undefined for a creation. */
  readonly stored: StoredResource | undefined;
  /** The paths that cause a replacement, in Terraform's names, such as `rule[0].name`. */
  readonly replaces: readonly string[];
}

export interface ResourceResult {
  /** The stored resource; undefined when the resource does not exist. */
  readonly stored: StoredResource | undefined;
  readonly diagnostics: readonly CoreDiagnostic[];
  /** Why the provider has deferred a read or an import. @default it has not */
  readonly deferral?: DeferralReason | undefined;
}

/** The result of a whole `terraform apply`. */
export interface DeployedResource extends ResourceResult {
  /** Undefined when a step before the plan failed. */
  readonly plan: ResourcePlan | undefined;
}

/** An import ID, or the values of an identity. */
export type ImportTarget = string | { readonly identity: Values };

/** Terraform's private data of a resource that has none. */
export const noPrivateData = new Uint8Array();

/** A plan that failed before anything was known about it. */
export const noPlan = (
  config: Values | null,
  stored: StoredResource | undefined,
): ResourcePlan => ({
  action: undefined,
  config,
  stored,
  planned: null,
  identity: undefined,
  private: noPrivateData,
  replaces: [],
  deferral: undefined,
  diagnostics: [],
});
