import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";
import type { MergeStrategy } from "./enums";

/** The properties of an {@link Env}. */
export interface EnvProps extends MetaArguments {
  /**
   * ID of the agent. Pass the agent's `agentId` directly: the platform follows this reference.
   *
   * A change replaces the resource.
   */
  readonly agentId: string;
  /**
   * Name of the variable: a letter or an underscore, then letters, digits and underscores.
   *
   * @default the construct ID
   */
  readonly name?: string | undefined;
  /**
   * Value of the variable.
   *
   * @default empty
   */
  readonly value?: string | undefined;
  /**
   * How the platform merges a variable that several resources set. Resources are processed in the
   * alphabetical order of their addresses.
   *
   * - `replace` uses the last value
   * - `append` adds the value after the existing one, separated by `:`
   * - `prepend` adds the value before the existing one, separated by `:`
   * - `error` fails the build
   *
   * Pass a string token as `Token.asAny(value)`.
   *
   * @default MergeStrategy.REPLACE
   */
  readonly mergeStrategy?: MergeStrategy | IResolvable | undefined;
}
