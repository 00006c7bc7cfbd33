import type { Architecture, OperatingSystem } from "../agent/generated";
import { previewedValues, classicTags } from "../template/previewed-values";
import { DataProvisionerBase, DataWorkspaceBase, DataWorkspaceTagsBase } from "./generated";

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
export class DataWorkspace extends DataWorkspaceBase {}

/** The host on which the platform runs Terraform. */
export class DataProvisioner extends DataProvisionerBase {
  /** Operating system of the host, for the agent of a machine on the same host. */
  get os(): OperatingSystem {
    // A token, of which Terraform knows one of these values.
    return this.resource.os as OperatingSystem;
  }

  /** Processor architecture of the host, for the agent of a machine on the same host. */
  get arch(): Architecture {
    return this.resource.arch as Architecture;
  }
}

/**
 * Tags that select the provisioners that may run builds of the workspace.
 *
 * The platform reads them from native syntax before Terraform runs: synthesis writes them to
 * `workspace-tags.tf` next to the stack's JSON.
 */
export class DataWorkspaceTags extends DataWorkspaceTagsBase {
  protected static override readonly stackRules = [classicTags, previewedValues];
}
