import type { EnvBaseProps } from "./generated";

/** The properties of an {@link Env}. */
export interface EnvProps extends EnvBaseProps {
  /**
   * Name of the variable: a letter or an underscore, then letters, digits and underscores.
   *
   * @default the construct ID
   */
  readonly name?: string | undefined;
}
