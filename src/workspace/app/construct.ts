import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { App as AppBinding } from "../../../bindings/providers/workspace/app";
import { product, ResourceConstruct, type ConstructType, withStrings } from "../../construct";
import { app } from "./declare";
import { agentInStack, agentEdge } from "../template/agent-parts";
import { platformRequirement } from "../template/platform-requirements";
import type { AppHealthcheck, AppProps } from "./props";
import { blockValue } from "../../construct/token/block-value";
import { uniqueValues } from "../template/presence";

/** An app's slug is unique among the apps of all agents, because it is part of the app's host name. */
export const uniqueAppSlugs = uniqueValues({
  attribute: "slug",
  key: (slug) => slug.toLowerCase(),
  where: "in the template, across all agents and ignoring case",
});

const type: ConstructType = {
  name: "workspace.App",
  declaration: app,
  stackRules: [uniqueAppSlugs, agentInStack, agentEdge, platformRequirement],
};

/**
 * An app that users open from the workspace's page: a web server inside the workspace, a command in a
 * terminal, or a link.
 *
 * See the guide `docs/guide/agents.md` in this package.
 *
 * @example
 * ```ts
 * new workspace.App(this, "docs", { agentId: main.agentId, slug: "docs", url: "http://localhost:80" });
 * ```
 */
export class App extends ResourceConstruct<AppBinding, AppProps> {
  /** Name of the resource type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:App`;

  constructor(scope: Construct, id: string, props: AppProps) {
    super(scope, id, type, props, (parent, childId, config) => {
      return new AppBinding(parent, childId, withStrings(config, "openIn", "share"));
    });
  }

  /** ID of the agent. */
  get agentId(): string {
    return this.resource.agentId;
  }

  /** Name of the app in URLs. */
  get slug(): string {
    return this.resource.slug;
  }

  /** Command that a terminal runs to open the app. */
  get command(): string {
    return this.resource.command;
  }

  /** URL of a link, or of a server inside the workspace that the platform proxies. */
  get url(): string {
    return this.resource.url;
  }

  /** True if the user's browser opens the URL directly, without the proxy. */
  get external(): IResolvable {
    return Token.asAny(this.resource.external);
  }

  /** Name that users see. */
  get displayName(): string {
    return this.resource.displayName;
  }

  /** Name of the group that contains the app. */
  get group(): string {
    return this.resource.group;
  }

  /** HTTP health check of the app. Its values are null if there is none. */
  get healthcheck(): AppHealthcheck {
    const value = (name: string) => blockValue(this.resource, `healthcheck[*].${name}`);
    return {
      url: Token.asString(value("url")),
      interval: Token.asNumber(value("interval")),
      threshold: Token.asNumber(value("threshold")),
    };
  }

  /** True if the user interface hides the app. */
  get hidden(): IResolvable {
    return Token.asAny(this.resource.hidden);
  }

  /** URL of the app's icon. */
  get icon(): string {
    return this.resource.icon;
  }

  /** Where the app opens. */
  get openIn(): IResolvable {
    return Token.asAny(this.resource.openIn);
  }

  /** Position of the app. */
  get order(): number {
    return this.resource.order;
  }

  /** Who may open the app. */
  get share(): IResolvable {
    return Token.asAny(this.resource.share);
  }

  /** True if the app is served from its own subdomain instead of a path. */
  get subdomain(): IResolvable {
    return Token.asAny(this.resource.subdomain);
  }

  /** Markdown of the app's tooltip. */
  get tooltip(): string {
    return this.resource.tooltip;
  }

  /** ID of the app. */
  get appId(): string {
    return this.resource.id;
  }
}
