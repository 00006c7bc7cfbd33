import { Token } from "cdktf";
import { agentInStack, agentEdge } from "../template/agent-parts";
import { platformRequirement } from "../template/platform-requirements";
import { AppBase, type AppHealthcheck } from "./generated";
import { blockValue } from "../../construct/token/block-value";
import { uniqueValues } from "../template/presence";

/** An app's slug is unique among the apps of all agents, because it is part of the app's host name. */
export const uniqueAppSlugs = uniqueValues({
  part: "app",
  attribute: "slug",
  key: (slug) => slug.toLowerCase(),
  where: "in the template, across all agents and ignoring case",
});

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
export class App extends AppBase {
  protected static override readonly stackRules = [
    uniqueAppSlugs,
    agentInStack,
    agentEdge,
    platformRequirement,
  ];

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
