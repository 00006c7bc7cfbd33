import type { AppProps } from "../app/props";
import type { DevcontainerProps } from "../devcontainer/props";
import type { EnvProps } from "../env/props";
import type { ScriptProps } from "../script/props";

/** The properties of an app that an agent adds. */
export interface AgentAppProps extends Omit<AppProps, "agentId" | "slug"> {
  /**
   * Name of the app in URLs, one of its own in the template.
   *
   * @default the construct's id
   */
  readonly slug?: string | undefined;
}

/** The properties of a variable that an agent adds, besides its name and value. */
export type AgentEnvOptions = Omit<EnvProps, "agentId" | "name" | "value">;

/** The properties of a script that an agent adds. */
export interface AgentScriptProps extends Omit<ScriptProps, "agentId" | "displayName"> {
  /**
   * Name that users see.
   *
   * @default the construct's id
   */
  readonly displayName?: string | undefined;
}

/** The properties of a dev container that an agent adds. */
export type AgentDevcontainerProps = Omit<DevcontainerProps, "agentId">;
