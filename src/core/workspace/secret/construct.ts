import type { Construct } from "constructs";
import { DataWorkspaceSecret } from "../../../../bindings/providers/workspace/data-workspace-secret";
import { construct, type ConstructType } from "../../construct";
import { ephemeralSecret, secret } from "./declare";
import { shownSecrets } from "../template/shown-secrets";
import { DataSecretBase, type DataSecretProps } from "./generated";

const type: ConstructType = {
  name: "workspace.DataSecret",
  declaration: secret,
  stackRules: [shownSecrets],
};

/**
 * A secret that the workspace's owner must have stored.
 *
 * Without it, a build that starts a workspace fails and shows the help message.
 */
export class DataSecret extends DataSecretBase<DataSecretProps> {
  constructor(scope: Construct, id: string, props: DataSecretProps) {
    super(scope, id, type, props, (...given) => new DataWorkspaceSecret(...given));
  }
}

/**
 * The same secret, in no plan and no state. It can only be used where Terraform accepts ephemeral values, such as in
 * write-only attributes, provider settings and provisioners.
 *
 * Users see that they need the secret only if there is also a {@link DataSecret}. Needs Terraform 1.10 or OpenTofu 1.11.
 */
export class EphemeralSecret extends construct(ephemeralSecret) {}
