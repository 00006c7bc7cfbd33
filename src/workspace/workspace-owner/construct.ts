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
 * Without a build of the platform the values are stand-ins.
 */
export class DataWorkspaceOwner extends DataSourceConstruct<DataWorkspaceWorkspaceOwner> {
  /** What the data source is called across products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataWorkspaceOwner`;

  /** @throws ValidationError with everything that is wrong with the properties */
  constructor(scope: Construct, id: string, props: DataWorkspaceOwnerProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceWorkspaceOwner(...given));
  }

  /** ID of the owner (a UUID). */
  get id(): string {
    return this.resource.id;
  }

  /** User name. */
  get name(): string {
    return this.resource.name;
  }

  /** Full name. */
  get fullName(): string {
    return this.resource.fullName;
  }

  /** Email address. */
  get email(): string {
    return this.resource.email;
  }

  /** Groups to which the owner belongs; one of them is `Fn.element(owner.groups, 0)`. */
  get groups(): string[] {
    return this.resource.groups;
  }

  /** How the owner logs in; empty without a build. */
  get loginType(): string {
    return this.resource.loginType;
  }

  /** Roles of the owner; the first one's name is `owner.rbacRoles.get(0).name`. */
  get rbacRoles(): DataWorkspaceWorkspaceOwnerRbacRolesList {
    return this.resource.rbacRoles;
  }

  /** Public half of the owner's SSH key. */
  get sshPublicKey(): string {
    return this.resource.sshPublicKey;
  }

  /** Private half of the SSH key that the platform made for the owner. It is a secret. */
  get sshPrivateKey(): string {
    return this.resource.sshPrivateKey;
  }

  /** Token for the platform's API; another one each time the workspace starts. It is a secret. */
  get sessionToken(): string {
    return this.resource.sessionToken;
  }

  /** OpenID Connect access token of the owner; empty when there is no valid one. It is a secret. */
  get oidcAccessToken(): string {
    return this.resource.oidcAccessToken;
  }
}
