import { previewedValues, classicTags } from "../template/previewed-values";
import { DataWorkspaceTagsBase } from "./generated";

/**
 * Tags that select the provisioners that may run builds of the workspace.
 *
 * The platform reads them from native syntax before Terraform runs: synthesis writes them to
 * `workspace-tags.tf` next to the stack's JSON.
 */
export class DataWorkspaceTags extends DataWorkspaceTagsBase {
  protected static override readonly stackRules = [classicTags, previewedValues];
}
