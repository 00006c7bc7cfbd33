import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { DataWorkspaceWorkspace } from "../../../bindings/providers/workspace/data-workspace-workspace";
import { DataSourceConstruct, product, type ConstructType } from "../../construct";
import { workspace } from "./declare";
import type { DataWorkspaceProps } from "./props";

const type: ConstructType = { name: "workspace.DataWorkspace", declaration: workspace };

/**
 * The workspace that is built, and what the build is to do.
 *
 * Without a build of the platform the values are stand-ins that stay the same.
 */
export class DataWorkspace extends DataSourceConstruct<DataWorkspaceWorkspace> {
  /** What the data source is called across products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataWorkspace`;

  /** @throws ValidationError with everything that is wrong with the properties */
  constructor(scope: Construct, id: string, props: DataWorkspaceProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceWorkspace(...given));
  }

  /** Base URL of the platform's deployment, without a slash at the end. */
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

  /** What the build does with the workspace: `start`, `stop`, or another word when it is deleted. */
  get transition(): string {
    return this.resource.transition;
  }

  /** 1 when the build starts the workspace, else 0: the `count` of what only runs then. */
  get startCount(): number {
    return this.resource.startCount;
  }

  /** Whether the workspace is a prebuild that nobody has been given yet. */
  get isPrebuild(): IResolvable {
    return Token.asAny(this.resource.isPrebuild);
  }

  /** Whether this is the first build after somebody was given the prebuild. */
  get isPrebuildClaim(): IResolvable {
    return Token.asAny(this.resource.isPrebuildClaim);
  }

  /** 1 while the workspace is a prebuild that nobody has been given, else 0: a `count` as well. */
  get prebuildCount(): number {
    return this.resource.prebuildCount;
  }

  /** ID of the workspace's template; empty without a build. */
  get templateId(): string {
    return this.resource.templateId;
  }

  /** Name of the template; empty without a build. */
  get templateName(): string {
    return this.resource.templateName;
  }

  /** Version of the template; empty without a build. */
  get templateVersion(): string {
    return this.resource.templateVersion;
  }
}
