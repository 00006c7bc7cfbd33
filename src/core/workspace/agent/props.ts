import type { AppProps } from "../app/generated";
import type { DevcontainerProps } from "../devcontainer/generated";
import type { EnvProps } from "../env/props";
import type { ModuleProps } from "../module/construct";
import type { ScriptProps } from "../script/generated";
import type { OrderedScripts, ScriptOrderOptions } from "../script-order/construct";

/** The properties of an app that an agent adds. */
export interface AgentAppProps extends Omit<AppProps, "agentId" | "slug"> {
  /**
   * Name of the app in URLs, unique in the template.
   *
   * @default the construct ID
   */
  readonly slug?: string | undefined;
}

/** The properties of an environment variable that an agent adds, other than its name and value. */
export type AgentEnvOptions = Omit<EnvProps, "agentId" | "name" | "value">;

/** The properties of a script that an agent adds. */
export interface AgentScriptProps extends Omit<ScriptProps, "agentId" | "displayName"> {
  /**
   * Name that users see.
   *
   * @default the construct ID
   */
  readonly displayName?: string | undefined;
}

/** The properties of a dev container that an agent adds. */
export type AgentDevcontainerProps = Omit<DevcontainerProps, "agentId">;

/** The properties of a module that an agent adds. */
export type AgentModuleProps<Variables extends object> = Omit<ModuleProps<Variables>, "agentId">;

/** Which scripts of an agent wait for which. */
export interface AgentScriptOrder extends ScriptOrderOptions {
  /** The scripts that wait, or modules for all scripts in them. */
  readonly run: readonly OrderedScripts[];
  /** The scripts that must have ended before, or modules for all scripts in them. */
  readonly after: readonly OrderedScripts[];
}
