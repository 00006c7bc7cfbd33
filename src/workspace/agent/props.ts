import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";
import type { AppProps } from "../app/props";
import type { DevcontainerProps } from "../devcontainer/props";
import type { EnvProps } from "../env/props";
import type { ScriptProps } from "../script/props";
import type {
  AgentAuth,
  ApiKeyScope,
  Architecture,
  OperatingSystem,
  StartupScriptBehavior,
} from "./enums";

/** The properties of an {@link Agent}. Tokens of words are given as `Token.asAny(text)`. */
export interface AgentProps extends MetaArguments {
  /**
   * Operating system of the machine.
   *
   * A change replaces the agent.
   */
  readonly os: OperatingSystem | IResolvable;
  /**
   * Processor architecture of the machine.
   *
   * A change replaces the agent.
   */
  readonly arch: Architecture | IResolvable;
  /**
   * How the agent proves who it is: with its token, or with the identity of its virtual machine in one
   * of three clouds.
   *
   * A change replaces the agent.
   *
   * @default AgentAuth.TOKEN
   */
  readonly auth?: AgentAuth | IResolvable | undefined;
  /**
   * Which routes of the platform the agent's token may call.
   *
   * @default ApiKeyScope.ALL
   */
  readonly apiKeyScope?: ApiKeyScope | IResolvable | undefined;
  /**
   * Seconds until the agent is marked as timed out when it does not connect; 0 never marks it.
   *
   * @default 120
   */
  readonly connectionTimeout?: number | undefined;
  /**
   * Directory in which shell sessions start.
   *
   * @default `$HOME`
   * @deprecated set the directory in the startup script or in the image instead
   */
  readonly dir?: string | undefined;
  /**
   * Built-in apps in the agent's bar.
   *
   * @default each has its own default
   */
  readonly displayApps?: AgentDisplayApps | undefined;
  /**
   * Environment variables inside the workspace, by their names. An {@link Env} cannot overwrite them.
   *
   * @default none
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * What the agent reports about itself, at intervals; keys are unique. An alpha feature.
   *
   * @default nothing
   */
  readonly metadatas?: readonly AgentMetadata[] | IResolvable | undefined;
  /**
   * Path in the workspace of a message that users see when they log in by SSH.
   *
   * @default no message
   */
  readonly motdFile?: string | undefined;
  /**
   * Position of the agent in the user interface: lowest first, equal ones by name.
   *
   * @default none
   */
  readonly order?: number | undefined;
  /**
   * Monitoring of the machine's resources: of the memory, of volumes, or of both.
   *
   * @default nothing is monitored
   */
  readonly resourcesMonitoring?: AgentResourcesMonitoring | undefined;
  /**
   * Script that runs after the agent has started: an alias for a {@link Script} with `runOnStart`.
   *
   * @default none
   */
  readonly startupScript?: string | undefined;
  /**
   * Whether a login waits for the startup script: an alias for `startBlocksLogin` of a {@link Script}.
   *
   * @default StartupScriptBehavior.NON_BLOCKING
   */
  readonly startupScriptBehavior?: StartupScriptBehavior | IResolvable | undefined;
  /**
   * Script that runs before the agent stops, and must end for the workspace to stop: an alias for a
   * {@link Script} with `runOnStop`.
   *
   * @default none
   */
  readonly shutdownScript?: string | undefined;
  /**
   * URL of instructions for the case that the agent does not connect.
   *
   * @default none
   */
  readonly troubleshootingUrl?: string | undefined;
}

/** Which built-in apps an agent's bar shows. */
export interface AgentDisplayApps {
  /**
   * Whether the desktop editor is shown.
   *
   * @default true
   */
  readonly editor?: boolean | IResolvable | undefined;
  /**
   * Whether the desktop editor's preview edition is shown.
   *
   * @default false
   */
  readonly editorInsiders?: boolean | IResolvable | undefined;
  /**
   * Whether the web terminal is shown.
   *
   * @default true
   */
  readonly webTerminal?: boolean | IResolvable | undefined;
  /**
   * Whether the bar shows how to connect by SSH.
   *
   * @default true
   */
  readonly sshHelper?: boolean | IResolvable | undefined;
  /**
   * Whether the bar shows how to forward ports.
   *
   * @default true
   */
  readonly portForwardingHelper?: boolean | IResolvable | undefined;
}

/** Something that an agent reports about itself, at intervals. */
export interface AgentMetadata {
  /** Name of the entry, one of its own in the agent. */
  readonly key: string;
  /** Script whose output is shown. */
  readonly script: string;
  /** Seconds between two runs of the script. */
  readonly interval: number;
  /**
   * Name that users see.
   *
   * @default the key
   */
  readonly displayName?: string | undefined;
  /**
   * Seconds that one run may take.
   *
   * @default the platform's
   */
  readonly timeout?: number | undefined;
  /**
   * Position of the entry: lowest first, equal ones by key.
   *
   * @default none
   */
  readonly order?: number | undefined;
}

/** Monitoring of a machine's memory. */
export interface AgentMemoryMonitoring {
  /** Whether memory is monitored. */
  readonly enabled: boolean | IResolvable;
  /** Percentage of use, from 0 to 100, at which users are notified. */
  readonly threshold: number;
}

/** Monitoring of a volume. */
export interface AgentVolumeMonitoring {
  /** Absolute path of the volume, by the rules of the agent's system; no two monitor the same. */
  readonly path: string;
  /** Whether the volume is monitored. */
  readonly enabled: boolean | IResolvable;
  /** Percentage of use, from 0 to 100, at which users are notified. */
  readonly threshold: number;
}

/** Monitoring of a machine's resources; at least one of them is given. */
export interface AgentResourcesMonitoring {
  /**
   * Monitoring of the memory.
   *
   * @default memory is not monitored
   */
  readonly memory?: AgentMemoryMonitoring | undefined;
  /**
   * Monitoring of volumes.
   *
   * @default no volume is monitored
   */
  readonly volumes?: readonly AgentVolumeMonitoring[] | IResolvable | undefined;
}

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
