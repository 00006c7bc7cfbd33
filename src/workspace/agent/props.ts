import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";
import type { AgentAuth } from "./enums-auth";
import type { ApiKeyScope } from "./enums-api-key-scope";
import type { Architecture } from "./enums-architecture";
import type { OperatingSystem } from "./enums-operating-system";
import type { StartupScriptBehavior } from "./enums-startup-script-behavior";
import type { AgentDisplayApps } from "./display-apps-props";
import type { AgentMetadata } from "./metadata-props";
import type { AgentResourcesMonitoring } from "./resources-monitoring-props";

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
