import type { Construct } from "constructs";
import {
  DataWorkspaceWorkspaceOwner,
  type DataWorkspaceWorkspaceOwnerRbacRolesList,
} from "../../../bindings/providers/workspace/data-workspace-workspace-owner";
import { DataSourceConstruct, product, type ConstructType } from "../../construct";
import { workspaceOwner } from "./declare";
import { shownSecrets } from "../template/shown-secrets";
import type { DataWorkspaceOwnerProps } from "./props";

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
export class DataWorkspaceOwner extends DataSourceConstruct<DataWorkspaceWorkspaceOwner> {
  /** Name of the data source type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataWorkspaceOwner`;

  constructor(scope: Construct, id: string, props: DataWorkspaceOwnerProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceWorkspaceOwner(...given));
  }

  /** ID of the owner (a UUID). */
  get id(): string {
    return this.resource.id;
  }

  /** The owner's user name. */
  get name(): string {
    return this.resource.name;
  }

  /** The owner's full name. */
  get fullName(): string {
    return this.resource.fullName;
  }

  /** The owner's email address. */
  get email(): string {
    return this.resource.email;
  }

  /** Groups that the owner belongs to. Read one with `Fn.element(owner.groups, 0)`. */
  get groups(): string[] {
    return this.resource.groups;
  }

  /** How the owner logs in; empty outside a build. */
  get loginType(): string {
    return this.resource.loginType;
  }

  /** Roles of the owner. Read the name of the first one with `owner.rbacRoles.get(0).name`. */
  get rbacRoles(): DataWorkspaceWorkspaceOwnerRbacRolesList {
    return this.resource.rbacRoles;
  }

  /** Public key of the owner's SSH key pair. */
  get sshPublicKey(): string {
    return this.resource.sshPublicKey;
  }

  /** Private key of the SSH key pair that the platform generated for the owner. A secret. */
  get sshPrivateKey(): string {
    return this.resource.sshPrivateKey;
  }

  /** Token for the platform's API, renewed each time the workspace starts. A secret. */
  get sessionToken(): string {
    return this.resource.sessionToken;
  }

  /** OpenID Connect access token of the owner; empty if there is no valid one. A secret. */
  get oidcAccessToken(): string {
    return this.resource.oidcAccessToken;
  }
}
