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
 * A secret that the workspace's owner has to have stored.
 *
 * A build that starts a workspace fails without it, and shows the help message.
 */
export class DataSecret extends DataSourceConstruct<DataWorkspaceSecret, DataSecretProps> {
  /** What the data source is called across products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataSecret`;

  /** @throws ValidationError with everything that is wrong with the properties */
  constructor(scope: Construct, id: string, props: DataSecretProps) {
    super(scope, id, type, props, (...given) => new DataWorkspaceSecret(...given));
  }

  /** `env:NAME` or `file:PATH`. */
  get id(): string {
    return this.resource.id;
  }

  /** Name of the environment variable that the secret is put into. */
  get env(): string {
    return this.resource.env;
  }

  /** Path of the file that the secret is put into. */
  get file(): string {
    return this.resource.file;
  }

  /** What users read while the secret is missing. */
  get helpMessage(): string {
    return this.resource.helpMessage;
  }

  /** The secret; empty when there is none, which counts as missing. */
  get value(): string {
    return this.resource.value;
  }
}
