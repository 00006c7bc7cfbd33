import type { IResolvable, TerraformStack } from "cdktf";

/** cdktf's token for an attribute of an element; its class is not exported. */
export interface Reference extends IResolvable {
  readonly identifier: string;
  readonly originStack: TerraformStack | undefined;
}

export const isReference = (token: IResolvable): token is Reference =>
  "identifier" in token && typeof token.identifier === "string" && "originStack" in token;
