import type { IResolvable, TerraformStack } from "cdktf";

/** cdktf's token for an attribute of an element; its class is not exported. */
export interface Reference extends IResolvable {
  /** The reference in Terraform's syntax, such as `ids_endpoint.edge.id`. */
  readonly identifier: string;
  readonly originStack: TerraformStack | undefined;
}

/** Checks whether a token is a reference to an attribute of an element. */
export const isReference = (token: IResolvable): token is Reference =>
  "identifier" in token && typeof token.identifier === "string" && "originStack" in token;
