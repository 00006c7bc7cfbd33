import type { Construct } from "constructs";
import { DataWorkspaceSecret } from "../../../bindings/providers/workspace/data-workspace-secret";
import { product, type ConstructType } from "../../construct";
import { secret } from "./declare";
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
  /** Name of the data source type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataSecret`;

  constructor(scope: Construct, id: string, props: DataSecretProps) {
    super(scope, id, type, props, (...given) => new DataWorkspaceSecret(...given));
  }
}
