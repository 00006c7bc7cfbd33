import { construct } from "../../construct";
import { ephemeralExternalAuth } from "./declare";
import { platformRequirement } from "../template/platform-requirements";
import { shownSecrets } from "../template/shown-secrets";
import { DataExternalAuthBase } from "./generated";

/** An external login that users need before they create or update a workspace. */
export class DataExternalAuth extends DataExternalAuthBase {
  protected static override readonly stackRules = [shownSecrets, platformRequirement];
}

/**
 * The access token of the same login, in no plan and no state. It can only be used where Terraform accepts ephemeral
 * values, such as in provider settings and write-only attributes.
 *
 * Users see that they need the login only if there is also a {@link DataExternalAuth}. Needs Terraform 1.10 or OpenTofu
 * 1.11.
 */
export class EphemeralExternalAuth extends construct(ephemeralExternalAuth) {}
