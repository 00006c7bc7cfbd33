import { construct } from "../../construct";
import { ephemeralSecret } from "./declare";
import { shownSecrets } from "../template/shown-secrets";
import { DataSecretBase } from "./generated";

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
