import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import {
  Agent as AgentBinding,
  type AgentMetadataList,
} from "../../../bindings/providers/workspace/agent";
import { product, ResourceConstruct, type ConstructType, withStrings } from "../../construct";
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
 * An agent: what connects a machine of the workspace to the platform.
 *
 * Another resource, such as the machine, must use its {@link token} or {@link initScript}: the platform
 * drops an agent that nothing depends on. The construct's id is the name in Terraform, wherever the
 * construct stands, since it is the agent's name on the platform as well.
 */
export class Agent extends ResourceConstruct<AgentBinding, AgentProps> {
  /** What the resource is called across products. */
  static readonly typeToken = `${product.name}:workspace/v1:Agent`;

  /** @throws ValidationError with everything that is wrong with the properties */
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
      // Before anything asks for the name: cdktf keeps the first answer.
      binding.overrideLogicalId(parent.node.id);
      return binding;
    });
  }

  /** Adds an app of this agent; its slug is the construct's id unless it is given. */
  addApp(id: string, props: AgentAppProps): App {
    return new App(this, id, { ...props, slug: props.slug ?? id, agentId: this.agentId });
  }

  /** Adds an environment variable of this agent; the name is the construct's id as well. */
  addEnv(name: string, value: string, options: AgentEnvOptions = {}): Env {
    return new Env(this, name, { ...options, name, value, agentId: this.agentId });
  }

  /** Adds a script that this agent runs; users see the construct's id unless a name is given. */
  addScript(id: string, props: AgentScriptProps): Script {
    const displayName = props.displayName ?? id;
    return new Script(this, id, { ...props, displayName, agentId: this.agentId });
  }

  /** Adds a dev container that this agent starts. */
  addDevcontainer(id: string, props: AgentDevcontainerProps): Devcontainer {
    return new Devcontainer(this, id, { ...props, agentId: this.agentId });
  }

  /** Has the construct's id be the name in Terraform again. */
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

  /** How the agent proves who it is. */
  get auth(): IResolvable {
    return Token.asAny(this.resource.auth);
  }

  /** Which routes of the platform the agent's token may call. */
  get apiKeyScope(): IResolvable {
    return Token.asAny(this.resource.apiKeyScope);
  }

  /** Seconds until the agent is marked as timed out when it does not connect; 0 never marks it. */
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

  /** Built-in apps in the agent's bar, with those that have their default. */
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

  /** Environment variables; one of them is `Fn.lookup(agent.env, "NAME")`. */
  get env(): Readonly<Record<string, string>> {
    return this.resource.env;
  }

  /** What the agent reports about itself; one entry is `metadatas.get(0)`. */
  get metadatas(): AgentMetadataList {
    return this.resource.metadata;
  }

  /** Path in the workspace of a message that users see when they log in by SSH. */
  get motdFile(): string {
    return this.resource.motdFile;
  }

  /** Position of the agent in the user interface. */
  get order(): number {
    return this.resource.order;
  }

  /** Monitoring of the machine's resources; the memory's values are null where it is not monitored. */
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

  /** Whether a login waits for the startup script. */
  get startupScriptBehavior(): IResolvable {
    return Token.asAny(this.resource.startupScriptBehavior);
  }

  /** Script that runs before the agent stops. */
  get shutdownScript(): string {
    return this.resource.shutdownScript;
  }

  /** URL of instructions for the case that the agent does not connect. */
  get troubleshootingUrl(): string {
    return this.resource.troubleshootingUrl;
  }

  /** ID of the agent, which ties apps, scripts and other parts to it. */
  get agentId(): string {
    return this.resource.id;
  }

  /** Script that the machine runs when it starts, to start the agent. */
  get initScript(): string {
    return this.resource.initScript;
  }

  /** Value of `TRIVET_AGENT_TOKEN`, with which the agent proves who it is. A secret. */
  get token(): string {
    return this.resource.token;
  }
}
