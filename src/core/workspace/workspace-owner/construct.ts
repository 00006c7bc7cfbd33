import type { Construct } from "constructs";
import { DataWorkspaceWorkspaceOwner } from "../../../../bindings/providers/workspace/data-workspace-workspace-owner";
import type { ConstructType } from "../../construct";
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
  constructor(scope: Construct, id: string, props: DataWorkspaceOwnerProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceWorkspaceOwner(...given));
  }
}
