import { Token } from "cdktf";
import type { Construct } from "constructs";
import { App as AppBinding } from "../../../../bindings/providers/workspace/app";
import { type ConstructType, withStrings } from "../../construct";
import { app } from "./declare";
import { agentInStack, agentEdge } from "../template/agent-parts";
import { platformRequirement } from "../template/platform-requirements";
import { AppBase, type AppProps, type AppHealthcheck } from "./generated";
import { blockValue } from "../../construct/token/block-value";
import { uniqueValues } from "../template/presence";

/** An app's slug is unique among the apps of all agents, because it is part of the app's host name. */
export const uniqueAppSlugs = uniqueValues({
  part: "app",
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
export class App extends AppBase<AppProps> {
  constructor(scope: Construct, id: string, props: AppProps) {
    super(scope, id, type, props, (parent, childId, config) => {
      return new AppBinding(parent, childId, withStrings(config, "openIn", "share"));
    });
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
}
