import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { DataWorkspaceWorkspace } from "../../../bindings/providers/workspace/data-workspace-workspace";
import { DataSourceConstruct, product, type ConstructType } from "../../construct";
import { workspace } from "./declare";
import type { DataWorkspaceProps } from "./props";

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
export class DataWorkspace extends DataSourceConstruct<DataWorkspaceWorkspace> {
  /** Name of the data source type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataWorkspace`;

  constructor(scope: Construct, id: string, props: DataWorkspaceProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceWorkspace(...given));
  }

  /** Base URL of the platform's deployment, without a trailing slash. */
  get accessUrl(): string {
    return this.resource.accessUrl;
  }

  /** Port of the platform's deployment. */
  get accessPort(): number {
    return this.resource.accessPort;
  }

  /** ID of the workspace (a UUID). */
  get id(): string {
    return this.resource.id;
  }

  /** Name of the workspace. */
  get name(): string {
    return this.resource.name;
  }

  /** Transition of the workspace in the build: `start`, `stop`, or another value when it is deleted. */
  get transition(): string {
    return this.resource.transition;
  }

  /** 1 if the build starts the workspace, otherwise 0: a `count` for resources that run only then. */
  get startCount(): number {
    return this.resource.startCount;
  }

  /** True if the workspace is an unclaimed prebuild. */
  get isPrebuild(): IResolvable {
    return Token.asAny(this.resource.isPrebuild);
  }

  /** True if this is the first build after the prebuild was claimed. */
  get isPrebuildClaim(): IResolvable {
    return Token.asAny(this.resource.isPrebuildClaim);
  }

  /** 1 while the workspace is an unclaimed prebuild, otherwise 0. Use it as `count`. */
  get prebuildCount(): number {
    return this.resource.prebuildCount;
  }

  /** ID of the workspace's template; empty outside a build. */
  get templateId(): string {
    return this.resource.templateId;
  }

  /** Name of the template; empty outside a build. */
  get templateName(): string {
    return this.resource.templateName;
  }

  /** Version of the template; empty outside a build. */
  get templateVersion(): string {
    return this.resource.templateVersion;
  }
}
