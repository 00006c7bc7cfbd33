import type { Construct } from "constructs";
import { DataWorkspaceSecret } from "../../../bindings/providers/workspace/data-workspace-secret";
import { DataSourceConstruct, product, type ConstructType } from "../../construct";
import { secret } from "./declare";
import { shownSecrets } from "../template/shown-secrets";
import type { DataSecretProps } from "./props";

const type: ConstructType = {
  name: "workspace.DataSecret",
  declaration: secret,
  stackRules: [shownSecrets],
};

/**
 * A secret that the workspace's owner must have stored.
 *
 * Without it, a build that starts a workspace fails and shows the help message.
 */
export class DataSecret extends DataSourceConstruct<DataWorkspaceSecret, DataSecretProps> {
  /** Name of the data source type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataSecret`;

  constructor(scope: Construct, id: string, props: DataSecretProps) {
    super(scope, id, type, props, (...given) => new DataWorkspaceSecret(...given));
  }

  /** `env:NAME` or `file:PATH`. */
  get id(): string {
    return this.resource.id;
  }

  /** Name of the environment variable that contains the secret. */
  get env(): string {
    return this.resource.env;
  }

  /** Path of the file that contains the secret. */
  get file(): string {
    return this.resource.file;
  }

  /** Message that users see while the secret is missing. */
  get helpMessage(): string {
    return this.resource.helpMessage;
  }

  /** The secret. Empty if it is missing. */
  get value(): string {
    return this.resource.value;
  }
}
