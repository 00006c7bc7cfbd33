import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { unknownPath } from "../plan/conformity";
import type { ResourceIdentityData } from "../wire/tfplugin6/tfplugin6";
import type { Problem } from "./core/problem";
import { WireValues } from "./wire-values";

/** Converts the identities of one resource type, and checks those that a provider returns. */
export class IdentityValues {
  readonly #values: WireValues | undefined;

  constructor({ identity }: Declaration) {
    this.#values = identity && new WireValues(identity);
  }

  /** @returns undefined without an identity */
  encode(values: Values | undefined) {
    if (values === undefined || this.#values === undefined) return undefined;
    return { identityData: this.#values.encode(values) };
  }

  /** @returns undefined when the provider returned none */
  decode(data: ResourceIdentityData | undefined): Values | undefined {
    return this.#values?.decode(data?.identityData);
  }

  /** Returns what Terraform does not accept in the identity of an existing resource. */
  problems(identity: Values | undefined): Problem[] {
    if (identity === undefined || unknownPath(identity) === undefined) return [];
    return [{ path: [], message: "the identity contains unknown values" }];
  }
}

/** The summary of Terraform's error for an identity that it does not accept. */
export const invalidIdentity = "Provider produced invalid identity";
