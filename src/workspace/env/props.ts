import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";
import type { MergeStrategy } from "./enums";

/** The properties of an {@link Env}. */
export interface EnvProps extends MetaArguments {
  /**
   * ID of the agent: its `agentId` alone, since the platform follows this reference.
   *
   * A change replaces the resource.
   */
  readonly agentId: string;
  /**
   * Name of the variable: a letter or an underscore, then letters, digits and underscores.
   *
   * @default the construct's id
   */
  readonly name?: string | undefined;
  /**
   * Value of the variable.
   *
   * @default it is empty
   */
  readonly value?: string | undefined;
  /**
   * What the platform makes of a variable that several resources set; they are taken in the
   * alphabetical order of their addresses.
   *
   * A token that is a text is given as `Token.asAny(text)`.
   *
   * @default MergeStrategy.REPLACE
   */
  readonly mergeStrategy?: MergeStrategy | IResolvable | undefined;
}
