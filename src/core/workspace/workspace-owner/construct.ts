import { construct } from "../../construct";
import { platformRequirement } from "../template/platform-requirements";
import { shownSecrets } from "../template/shown-secrets";
import { ephemeralExternalAuth, ephemeralSecret } from "./declare";
import { DataExternalAuthBase, DataSecretBase, DataWorkspaceOwnerBase } from "./generated";

/**
 * The owner of the workspace.
 *
 * Outside a build of the platform, the values are placeholders.
 */
export class DataWorkspaceOwner extends DataWorkspaceOwnerBase {
  protected static override readonly stackRules = [shownSecrets];
}

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

/**
 * A secret that the workspace's owner must have stored.
 *
 * Without it, a build that starts a workspace fails and shows the help message.
 */
export class DataSecret extends DataSecretBase {
  protected static override readonly stackRules = [shownSecrets];
}

/**
 * The same secret, in no plan and no state. It can only be used where Terraform accepts ephemeral values, such as in
 * write-only attributes, provider settings and provisioners.
 *
 * Users see that they need the secret only if there is also a {@link DataSecret}. Needs Terraform 1.10 or OpenTofu 1.11.
 */
export class EphemeralSecret extends construct(ephemeralSecret) {}
