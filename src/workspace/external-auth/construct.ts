import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { DataWorkspaceExternalAuth } from "../../../bindings/providers/workspace/data-workspace-external-auth";
import { DataSourceConstruct, product, type ConstructType } from "../../construct";
import { externalAuth } from "./declare";
import { platformRequirement } from "../template/platform-requirements";
import { shownSecrets } from "../template/shown-secrets";
import type { DataExternalAuthProps } from "./props";

const type: ConstructType = {
  name: "workspace.DataExternalAuth",
  declaration: externalAuth,
  stackRules: [shownSecrets, platformRequirement],
};

/** An external login that users need before they create or update a workspace. */
export class DataExternalAuth extends DataSourceConstruct<
  DataWorkspaceExternalAuth,
  DataExternalAuthProps
> {
  /** Name of the data source type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataExternalAuth`;

  constructor(scope: Construct, id: string, props: DataExternalAuthProps) {
    super(scope, id, type, props, (...given) => new DataWorkspaceExternalAuth(...given));
  }

  /** ID of the external authentication provider. */
  get id(): string {
    return this.resource.id;
  }

  /** True if users may continue without this login. */
  get optional(): IResolvable {
    return Token.asAny(this.resource.optional);
  }

  /** Access token of the external service; empty without one. A secret. */
  get accessToken(): string {
    return this.resource.accessToken;
  }
}
