import type { Construct } from "constructs";
import { Env as EnvBinding } from "../../../../bindings/providers/workspace/env";
import { orNone } from "../../construct";
import { env } from "./declare";
import { agentInStack, agentEdge } from "../template/agent-parts";
import { envNames } from "./rules";
import { EnvBase, type EnvBaseProps } from "./generated";

/** The properties of an {@link Env}. */
export interface EnvProps extends EnvBaseProps {
  /**
   * Name of the variable: a letter or an underscore, then letters, digits and underscores.
   *
   * @default the construct ID
   */
  readonly name?: string | undefined;
}

type NamedEnvProps = EnvProps & { readonly name: string };

/**
 * An environment variable inside the workspace.
 *
 * It cannot overwrite one that the agent's own `env` sets.
 */
export class Env extends EnvBase<NamedEnvProps> {
  protected static override readonly stackRules = [agentInStack, agentEdge, envNames];

  constructor(scope: Construct, id: string, props: EnvProps) {
    const named = { ...props, name: orNone(props).name ?? id };
    super(scope, id, env, named, (...given) => new EnvBinding(...given));
  }
}
