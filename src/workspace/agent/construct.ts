import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import {
  Agent as AgentBinding,
  type AgentMetadataList,
} from "../../../bindings/providers/workspace/agent";
import {
  orNone,
  product,
  ResourceConstruct,
  type ConstructType,
  withStrings,
} from "../../construct";
import { blockValue, blockValues } from "../../construct/token/block-value";
import { App } from "../app/construct";
import { Devcontainer } from "../devcontainer/construct";
import { Env } from "../env/construct";
import { envNames } from "../env/rules";
import { Script } from "../script/construct";
import { shownSecrets } from "../template/shown-secrets";
import { agent } from "./declare";
import type {
  AgentDisplayApps,
  AgentAppProps,
  AgentDevcontainerProps,
  AgentEnvOptions,
  AgentScriptProps,
  AgentProps,
  AgentMemoryMonitoring,
} from "./props";
import { agentNames, agentOwner } from "./rules";

const type: ConstructType = {
  name: "workspace.Agent",
  declaration: agent,
  stackRules: [agentNames, agentOwner, envNames, shownSecrets],
};

/**
 * An agent, which connects a machine of the workspace to the platform.
 *
 * Another resource, such as the machine, must use its {@link token} or {@link initScript}: the platform
 * drops an agent that no other resource depends on. The construct ID is also the agent's name, in
 * Terraform and on the platform, at any depth of the construct tree.
 *
 * See the guide `docs/guide/agents.md` in this package.
 *
 * @example
 * ```ts
 * const main = new workspace.Agent(this, "main", { os: "linux", arch: "amd64" });
 * main.addApp("web", { displayName: "Web", url: "http://localhost:8080" });
 * main.addScript("setup", { script: "make setup", runOnStart: true });
 * ```
 */
export class Agent extends ResourceConstruct<AgentBinding, AgentProps> {
  /** Name of the resource type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:Agent`;

  constructor(scope: Construct, id: string, props: AgentProps) {
    super(scope, id, type, props, (parent, childId, config) => {
      const { metadatas, resourcesMonitoring, ...same } = config;
      const { volumes, ...memory } = resourcesMonitoring ?? {};
      const volume = volumes === undefined ? {} : { volume: volumes };
      const binding = new AgentBinding(parent, childId, {
        ...withStrings(same, "os", "arch", "auth", "apiKeyScope", "startupScriptBehavior"),
        ...(metadatas !== undefined && { metadata: metadatas }),
        ...(resourcesMonitoring && { resourcesMonitoring: { ...memory, ...volume } }),
      });
      // Must come before anything reads the name: cdktf caches it on first use.
      binding.overrideLogicalId(parent.node.id);
      return binding;
    });
  }

  /** Adds an app to this agent. Its slug defaults to the construct ID. */
  addApp(id: string, props: AgentAppProps): App {
    return new App(this, id, { ...props, slug: orNone(props).slug ?? id, agentId: this.agentId });
  }

  /** Adds an environment variable to this agent. Its name is also the construct ID. */
  addEnv(name: string, value: string, options: AgentEnvOptions = {}): Env {
    return new Env(this, name, { ...options, name, value, agentId: this.agentId });
  }

  /** Adds a script that this agent runs. Its display name defaults to the construct ID. */
  addScript(id: string, props: AgentScriptProps): Script {
    const displayName = orNone(props).displayName ?? id;
    return new Script(this, id, { ...props, displayName, agentId: this.agentId });
  }

  /** Adds a dev container that this agent starts. */
  addDevcontainer(id: string, props: AgentDevcontainerProps): Devcontainer {
    return new Devcontainer(this, id, { ...props, agentId: this.agentId });
  }

  /** Makes the construct ID the name in Terraform again. */
  override resetOverrideLogicalId(): void {
    this.overrideLogicalId(this.node.id);
  }

  /** Operating system of the machine. */
  get os(): IResolvable {
    return Token.asAny(this.resource.os);
  }

  /** Processor architecture of the machine. */
  get arch(): IResolvable {
    return Token.asAny(this.resource.arch);
  }

  /** How the agent authenticates. */
  get auth(): IResolvable {
    return Token.asAny(this.resource.auth);
  }

  /** Which routes of the platform the agent's token may call. */
  get apiKeyScope(): IResolvable {
    return Token.asAny(this.resource.apiKeyScope);
  }

  /** Seconds after which an agent that has not connected is marked as timed out; 0 means never. */
  get connectionTimeout(): number {
    return this.resource.connectionTimeout;
  }

  /**
   * Directory in which shell sessions start.
   *
   * @deprecated set the directory in the startup script or in the image instead
   */
  get dir(): string {
    return this.resource.dir;
  }

  /** Built-in apps in the agent's bar, including those at their default. */
  get displayApps(): Readonly<Record<keyof AgentDisplayApps, IResolvable>> {
    const value = (name: string) => blockValue(this.resource, `display_apps[*].${name}`);
    return {
      editor: value("editor"),
      editorInsiders: value("editor_insiders"),
      webTerminal: value("web_terminal"),
      sshHelper: value("ssh_helper"),
      portForwardingHelper: value("port_forwarding_helper"),
    };
  }

  /** Environment variables. Read one with `Fn.lookup(agent.env, "NAME")`. */
  get env(): Readonly<Record<string, string>> {
    return this.resource.env;
  }

  /** Metadata items that the agent reports. Read one with `metadatas.get(0)`. */
  get metadatas(): AgentMetadataList {
    return this.resource.metadata;
  }

  /** Path in the workspace of a message that is shown to users at SSH login. */
  get motdFile(): string {
    return this.resource.motdFile;
  }

  /** Position of the agent in the user interface. */
  get order(): number {
    return this.resource.order;
  }

  /** Monitoring of the machine's resources. The memory values are null if memory is not monitored. */
  get resourcesMonitoring(): {
    readonly memory: AgentMemoryMonitoring;
    readonly volumes: IResolvable;
  } {
    const value = (name: string) =>
      blockValue(this.resource, `resources_monitoring[*].memory[*].${name}`);
    return {
      memory: { enabled: value("enabled"), threshold: Token.asNumber(value("threshold")) },
      volumes: blockValues(this.resource, "resources_monitoring[*].volume"),
    };
  }

  /** Script that runs after the agent has started. */
  get startupScript(): string {
    return this.resource.startupScript;
  }

  /** Effect of the startup script on logins. */
  get startupScriptBehavior(): IResolvable {
    return Token.asAny(this.resource.startupScriptBehavior);
  }

  /** Script that runs before the agent stops. */
  get shutdownScript(): string {
    return this.resource.shutdownScript;
  }

  /** URL of instructions for an agent that does not connect. */
  get troubleshootingUrl(): string {
    return this.resource.troubleshootingUrl;
  }

  /** ID of the agent, by which apps, scripts and other parts refer to it. */
  get agentId(): string {
    return this.resource.id;
  }

  /** Script that starts the agent. The machine runs it at boot. */
  get initScript(): string {
    return this.resource.initScript;
  }

  /** Value of `TRIVET_AGENT_TOKEN`, with which the agent authenticates. A secret. */
  get token(): string {
    return this.resource.token;
  }
}
