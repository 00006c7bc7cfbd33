import type { Construct } from "constructs";
import { DataWorkspaceWorkspaceTags } from "../../../../bindings/providers/workspace/data-workspace-workspace-tags";
import type { ConstructType } from "../../construct";
import { workspaceTags } from "./declare";
import { previewedValues, classicTags } from "../template/previewed-values";
import { DataWorkspaceTagsBase, type DataWorkspaceTagsProps } from "./generated";

const type: ConstructType = {
  name: "workspace.DataWorkspaceTags",
  declaration: workspaceTags,
  stackRules: [classicTags, previewedValues],
};

/**
 * Tags that select the provisioners that may run builds of the workspace.
 *
 * The platform reads them from native syntax before Terraform runs: synthesis writes them to
 * `workspace-tags.tf` next to the stack's JSON.
 */
export class DataWorkspaceTags extends DataWorkspaceTagsBase<DataWorkspaceTagsProps> {
  constructor(scope: Construct, id: string, props: DataWorkspaceTagsProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceWorkspaceTags(...given));
  }
}
