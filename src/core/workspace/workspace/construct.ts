import type { Construct } from "constructs";
import { DataWorkspaceWorkspace } from "../../../../bindings/providers/workspace/data-workspace-workspace";
import type { ConstructType } from "../../construct";
import { workspace } from "./declare";
import { DataWorkspaceBase, type DataWorkspaceProps } from "./generated";

const type: ConstructType = { name: "workspace.DataWorkspace", declaration: workspace };

/**
 * The workspace that is built, and what the build does with it.
 *
 * Outside a build of the platform, the values are constant placeholders.
 *
 * See the guide `docs/guide/parameters.md` in this package.
 *
 * @example
 * ```ts
 * const build = new workspace.DataWorkspace(this, "build");
 * ```
 */
export class DataWorkspace extends DataWorkspaceBase<DataWorkspaceProps> {
  constructor(scope: Construct, id: string, props: DataWorkspaceProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceWorkspace(...given));
  }
}
