import type { UnknownReason } from "../expression/value";
import type { CoreDiagnostic } from "../../core/provider-kit/core";
import type { Configuration } from "./configuration";
import type { StartedProvider } from "./evaluation";
import type { JsonChange, JsonResourceChange } from "./plan-json";
import type { NotPlanned, State } from "./state";
import { builtinSource } from "./terraform-data";

/** What is wrong with a stack, with the address of what it concerns. */
export interface LocatedDiagnostic extends CoreDiagnostic {
  /** Such as `ids_endpoint.edge["a"]`, `provider.ids` or `output.url`. */
  readonly address: string;
}

/** A planned value that is not known, though not because only the apply decides it. */
export interface UnknownValue {
  readonly address: string;
  /** The path of the attribute, such as `option[0].name`. */
  readonly attribute: string;
  /** True if it is another value than the assumed one, so that it changes for certain. */
  readonly isAnother?: true;
  /** Without the kind `apply`. */
  readonly reasons: readonly UnknownReason[];
}

/** A resource of another provider that could become a new one. */
export interface MovableResource {
  readonly from: string;
  /** The type that it could have. */
  readonly type: string;
  /** Its values as one of that type. */
  readonly before: unknown;
}

/** What a deployment would do, as far as it can be known offline. */
export interface OfflinePlan {
  /** In the format of `terraform show -json`. Values of sensitive attributes are in it. */
  readonly resourceChanges: readonly JsonResourceChange[];
  readonly outputChanges: Readonly<Record<string, JsonChange>>;
  readonly diagnostics: readonly LocatedDiagnostic[];
  readonly notPlanned: readonly NotPlanned[];
  readonly movable: readonly MovableResource[];
  readonly unknowns: readonly UnknownValue[];
}

/** What a plan is made of. */
export interface PlanInput {
  readonly configuration: Configuration;
  readonly state: State;
  /** The providers that can be asked, by the name of their configuration, such as `ids.second`. */
  readonly providers: ReadonlyMap<string, StartedProvider>;
  /** Values of variables. @default their own defaults */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** The program that deploys the stack, by its name or path. @default what TERRAFORM_BINARY_NAME names */
  readonly program?: string | undefined;
}

/** The source address of a provider, by the name of its configuration. */
export function sourceOf({ sources }: Configuration, name: string): string {
  const [local = ""] = name.split(".");
  return local === "terraform" ? builtinSource : (sources.get(local) ?? `hashicorp/${local}`);
}
