import type { Construct } from "constructs";
import { DataWorkspaceWorkspaceTags } from "../../../bindings/providers/workspace/data-workspace-workspace-tags";
import { DataSourceConstruct, product, type ConstructType } from "../../construct";
import { workspaceTags } from "./declare";
import { tagValues } from "./rules";
import type { DataWorkspaceTagsProps } from "./props";

const type: ConstructType = {
  name: "workspace.DataWorkspaceTags",
  declaration: workspaceTags,
  stackRules: [tagValues],
};

/**
 * Tags that choose the provisioners which may run builds of the workspace.
 *
 * The platform reads them before Terraform runs, from native syntax: synthesis writes them, with the
 * parameters that they refer to, into `workspace-tags.tf` beside the stack's JSON.
 */
export class DataWorkspaceTags extends DataSourceConstruct<
  DataWorkspaceWorkspaceTags,
  DataWorkspaceTagsProps
> {
  /** What the data source is called across products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataWorkspaceTags`;

  /** @throws ValidationError with everything that is wrong with the properties */
  constructor(scope: Construct, id: string, props: DataWorkspaceTagsProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceWorkspaceTags(...given));
  }

  /** ID of the data source, made from the tags. */
  get id(): string {
    return this.resource.id;
  }

  /** Values by the tags' names; one of them is `Fn.lookup(tags.tags, "region")`. */
  get tags(): Readonly<Record<string, string>> {
    return this.resource.tags;
  }
}
