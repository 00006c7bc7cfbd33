import type { Construct } from "constructs";
import { DataWorkspaceWorkspaceOwner } from "../../../../bindings/providers/workspace/data-workspace-workspace-owner";
import { product, type ConstructType } from "../../construct";
import { workspaceOwner } from "./declare";
import { shownSecrets } from "../template/shown-secrets";
import { DataWorkspaceOwnerBase, type DataWorkspaceOwnerProps } from "./generated";

const type: ConstructType = {
  name: "workspace.DataWorkspaceOwner",
  declaration: workspaceOwner,
  stackRules: [shownSecrets],
};

/**
 * The owner of the workspace.
 *
 * Outside a build of the platform, the values are placeholders.
 */
export class DataWorkspaceOwner extends DataWorkspaceOwnerBase<DataWorkspaceOwnerProps> {
  /** Name of the data source type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataWorkspaceOwner`;

  constructor(scope: Construct, id: string, props: DataWorkspaceOwnerProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceWorkspaceOwner(...given));
  }
}
