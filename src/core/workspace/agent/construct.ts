import { type IResolvable, ref, Token } from "cdktf";
import type { Construct } from "constructs";
import { Agent as AgentBinding } from "../../../../bindings/providers/workspace/agent";
import { orNone } from "../../construct";
import { blockValue, blockValues } from "../../construct/token/block-value";
import { App } from "../app/construct";
import type { AppProps } from "../app/generated";
import { Devcontainer } from "../devcontainer/construct";
import type { DevcontainerProps } from "../devcontainer/generated";
import { Env, type EnvProps } from "../env/construct";
import { envNames } from "../env/rules";
import { Module, type ModuleProps } from "../module/construct";
import { Script } from "../script/construct";
import type { ScriptProps } from "../script/generated";
import {
  addScriptOrder,
  type OrderedScripts,
  type ScriptOrderOptions,
} from "../script-order/construct";
import { agentInStack } from "../template/agent-parts";
import { claimedValues } from "../template/claimed-values";
import { platformRequirement } from "../template/platform-requirements";
import { shownSecrets } from "../template/shown-secrets";
import { agent } from "./declare";
import {
  AgentBase,
  AgentInstanceBase,
  ExternalAgentBase,
  type AgentProps,
  type AgentDisplayApps,
  type AgentMemoryMonitoring,
} from "./generated";
import { agentNames, agentOwner } from "./rules";

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

/** An agent with a count has at most one instance, because its name is unique on the platform. */
class CountableBinding extends AgentBinding {
  override interpolationForAttribute(attribute: string): IResolvable {
    if (this.count === undefined) return super.interpolationForAttribute(attribute);
    const address = `${this.terraformResourceType}.${this.friendlyUniqueId}[0]`;
    return ref(`${address}.${attribute}`, this.cdktfStack);
  }
}

/**
 * An agent, which connects a machine of the workspace to the platform.
 *
 * Another resource, such as the machine, must use its {@link token} or {@link initScript}: the platform
 * drops an agent that no other resource depends on. If the agent has a `count`, give the machine the same one; parts
 * that the agent adds get it, too. The construct ID is also the agent's name, in
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
export class Agent extends AgentBase<AgentProps> {
  protected static override readonly stackRules = [
    agentNames,
    agentOwner,
    claimedValues,
    envNames,
    shownSecrets,
  ];

  constructor(scope: Construct, id: string, props: AgentProps) {
    super(scope, id, agent, props, (parent, childId, config) => {
      const { metadatas, resourcesMonitoring, ...same } = config;
      const { volumes, ...memory } = resourcesMonitoring ?? {};
      const volume = volumes === undefined ? {} : { volume: volumes };
      const binding = new CountableBinding(parent, childId, {
        ...same,
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
    return new App(this, id, this.#part({ ...props, slug: orNone(props).slug ?? id }));
  }

  /** Adds an environment variable to this agent. Its name is also the construct ID. */
  addEnv(name: string, value: string, options: AgentEnvOptions = {}): Env {
    return new Env(this, name, this.#part({ ...options, name, value }));
  }

  /** Adds a script that this agent runs. Its display name defaults to the construct ID. */
  addScript(id: string, props: AgentScriptProps): Script {
    const displayName = orNone(props).displayName ?? id;
    return new Script(this, id, this.#part({ ...props, displayName }));
  }

  /**
   * Makes scripts of this agent wait until others have ended: each one in `run` for each one in `after`. A
   * module selects all scripts in it.
   *
   * Without an order, scripts run at the same time. Needs version 2.39 of coder.
   */
  orderScripts(rule: AgentScriptOrder): this {
    addScriptOrder(this, rule, this.resource.provider);
    return this;
  }

  /** Adds a dev container that this agent starts. */
  addDevcontainer(id: string, props: AgentDevcontainerProps): Devcontainer {
    return new Devcontainer(this, id, this.#part(props));
  }

  /** A part exists in the builds that have its agent, unless its own count says otherwise. */
  #part<Props extends { readonly forEach?: unknown }>(props: Props) {
    const { count } = this.resource;
    const isCounted = count !== undefined && props.forEach === undefined;
    return { ...(isCounted && { count }), ...props, agentId: this.agentId };
  }

  /** Adds a module, such as one of the platform's registry, whose parts belong to this agent. */
  addModule<Variables extends object = Readonly<Record<string, unknown>>>(
    id: string,
    props: AgentModuleProps<Variables>,
  ): Module<Variables> {
    return new Module<Variables>(this, id, this.#part(props));
  }

  /** Makes the construct ID the name in Terraform again. */
  override resetOverrideLogicalId(): void {
    this.overrideLogicalId(this.node.id);
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
}

/**
 * The virtual machine of an agent that authenticates with an instance identity.
 *
 * For several kinds of virtual machines the platform finds the ID without this resource.
 */
export class AgentInstance extends AgentInstanceBase {
  protected static override readonly stackRules = [agentInStack];
}

/**
 * Marks an agent as running on a machine that the template does not create.
 *
 * Needs a premium licence of the platform.
 */
export class ExternalAgent extends ExternalAgentBase {
  protected static override readonly stackRules = [agentInStack, platformRequirement];
}
