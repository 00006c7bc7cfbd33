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

/** The properties of an {@link Agent}. Pass a token for an enum value as `Token.asAny(value)`. */
export interface AgentProps extends MetaArguments {
  /**
   * Operating system of the machine.
   *
   * - `linux`: Linux
   * - `darwin`: macOS
   * - `windows`: Windows
   *
   * A change replaces the agent.
   */
  readonly os: OperatingSystem | IResolvable;
  /**
   * Processor architecture of the machine.
   *
   * - `amd64`: 64-bit x86
   * - `armv7`: 32-bit Arm
   * - `arm64`: 64-bit Arm
   *
   * A change replaces the agent.
   */
  readonly arch: Architecture | IResolvable;
  /**
   * How the agent authenticates: with its token, or with the identity of its virtual machine in one of
   * three clouds.
   *
   * - `token` uses its token
   * - `cloudA-instance-identity` uses the identity of its virtual machine in cloud A
   * - `cloudB-instance-identity` uses the identity of its virtual machine in cloud B
   * - `cloudC-instance-identity` uses the identity of its virtual machine in cloud C
   *
   * A change replaces the agent.
   *
   * @default AgentAuth.TOKEN
   */
  readonly auth?: AgentAuth | IResolvable | undefined;
  /**
   * Which routes of the platform the agent's token may call.
   *
   * - `all` grants full access
   * - `no_user_data` blocks `/external-auth`, `/gitsshkey` and `/gitauth`
   *
   * @default ApiKeyScope.ALL
   */
  readonly apiKeyScope?: ApiKeyScope | IResolvable | undefined;
  /**
   * Seconds after which an agent that has not connected is marked as timed out; 0 means never.
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
   * @default each app has its own default
   */
  readonly displayApps?: AgentDisplayApps | undefined;
  /**
   * Environment variables inside the workspace, by name. An {@link Env} cannot overwrite them.
   *
   * @default none
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * Metadata items that the agent reports at intervals. Keys are unique. An alpha feature.
   *
   * @default none
   */
  readonly metadatas?: readonly AgentMetadata[] | IResolvable | undefined;
  /**
   * Path in the workspace of a message that is shown to users at SSH login.
   *
   * @default no message
   */
  readonly motdFile?: string | undefined;
  /**
   * Position of the agent in the user interface: lowest first, then by name.
   *
   * @default none
   */
  readonly order?: number | undefined;
  /**
   * Monitoring of the machine's resources: memory, volumes, or both.
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
   * Effect of the startup script on logins: an alias for `startBlocksLogin` of a {@link Script}.
   *
   * - `blocking` makes users wait until the script has ended
   * - `non-blocking` lets users log in while the script runs
   *
   * @default StartupScriptBehavior.NON_BLOCKING
   */
  readonly startupScriptBehavior?: StartupScriptBehavior | IResolvable | undefined;
  /**
   * Script that runs before the agent stops: an alias for a {@link Script} with `runOnStop`. The
   * workspace stops only when the script has ended.
   *
   * @default none
   */
  readonly shutdownScript?: string | undefined;
  /**
   * URL of instructions for an agent that does not connect.
   *
   * @default none
   */
  readonly troubleshootingUrl?: string | undefined;
}

/** Which built-in apps an agent's bar shows. */
export interface AgentDisplayApps {
  /**
   * Shows the desktop editor.
   *
   * @default true
   */
  readonly editor?: boolean | IResolvable | undefined;
  /**
   * Shows the desktop editor's preview edition.
   *
   * @default false
   */
  readonly editorInsiders?: boolean | IResolvable | undefined;
  /**
   * Shows the web terminal.
   *
   * @default true
   */
  readonly webTerminal?: boolean | IResolvable | undefined;
  /**
   * Shows in the bar how to connect by SSH.
   *
   * @default true
   */
  readonly sshHelper?: boolean | IResolvable | undefined;
  /**
   * Shows in the bar how to forward ports.
   *
   * @default true
   */
  readonly portForwardingHelper?: boolean | IResolvable | undefined;
}

/** A metadata item: the output of a script, which an agent reports at intervals. */
export interface AgentMetadata {
  /** Name of the item, unique in the agent. */
  readonly key: string;
  /** Script whose output is shown. */
  readonly script: string;
  /** Seconds between runs of the script. */
  readonly interval: number;
  /**
   * Name that users see.
   *
   * @default the key
   */
  readonly displayName?: string | undefined;
  /**
   * Maximum duration of one run, in seconds.
   *
   * @default the platform's default
   */
  readonly timeout?: number | undefined;
  /**
   * Position of the item: lowest first, then by key.
   *
   * @default none
   */
  readonly order?: number | undefined;
}

/** Monitoring of a machine's memory. */
export interface AgentMemoryMonitoring {
  /** Turns the monitoring of memory on. */
  readonly enabled: boolean | IResolvable;
  /** Percentage of use, from 0 to 100, at which users are notified. */
  readonly threshold: number;
}

/** Monitoring of a volume. */
export interface AgentVolumeMonitoring {
  /** Path of the volume, absolute on the agent's operating system. Each path is monitored once. */
  readonly path: string;
  /** Turns the monitoring of the volume on. */
  readonly enabled: boolean | IResolvable;
  /** Percentage of use, from 0 to 100, at which users are notified. */
  readonly threshold: number;
}

/** Monitoring of a machine's resources. At least one of the properties is required. */
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
