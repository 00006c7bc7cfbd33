import type { ScriptGraph } from "../../../core/workspace/script-order/script-graph";
import { listOf, objectOf, stringOf } from "../terraform/json-value";
import type { ResourceValues } from "../terraform/resource-values";
import { type Association, slugOf } from "./association";
import type { NamedValue, SeenAgent, SeenApp, SeenScript } from "./seen";
import type { ViewedValues } from "./viewed-values";

type Parts = Pick<SeenAgent, "apps" | "environment" | "scripts" | "devcontainers">;

/**
 * Reads the parts of agents, and of the agents inside their dev containers.
 *
 * @param hasInner false if the platform drops the parts of agents inside dev containers
 */
export function agentParts(
  resources: readonly ResourceValues[],
  { parts }: Association,
  typePrefix: string,
  order: ScriptGraph,
  hasInner: boolean,
  values: ViewedValues,
): {
  readonly of: (agent: ResourceValues) => Parts;
  readonly unattached: readonly ResourceValues[];
} {
  const ofType = (type: string) =>
    resources.filter((one) => one.mode === "managed" && one.type === typePrefix + type);
  const containers = ofType("devcontainer");
  const containerOf = (part: ResourceValues) =>
    containers.find(({ values: { subagent_id: id } }) => {
      const given = stringOf(part.values["agent_id"]);
      return hasInner && given !== "" && stringOf(id) === given;
    });
  const ownerOf = (part: ResourceValues) => parts.get(part) ?? containerOf(part);
  const nameOf = new Map(
    ofType("script").map(({ address, values: { display_name: name } }) => [address, name]),
  );
  const seen = (owner: ResourceValues): Omit<Parts, "devcontainers"> => {
    const own = (type: string) => ofType(type).filter((part) => ownerOf(part) === owner);
    return {
      apps: byOrder(own("app").map(withName), "order", ({ shownName }) => shownName).map((app) =>
        seenApp(app, values),
      ),
      environment: own("env").map((one): NamedValue => ({
        name: stringOf(one.values["name"]),
        value: values.value(one, ["value"]),
      })),
      scripts: order
        .sorted(own("script"), ({ address }) => address)
        .map((script) => ({
          ...seenScript(script, values),
          after: order.before(script.address).map((each) => stringOf(nameOf.get(each)) || each),
        })),
    };
  };
  return {
    of: (agent) => ({
      ...seen(agent),
      devcontainers: containers
        .filter((container) => parts.get(container) === agent)
        .map((container) => ({
          folder: stringOf(container.values["workspace_folder"]),
          ...seen(container),
        })),
    }),
    unattached: ["app", "env", "script", "devcontainer"]
      .flatMap(ofType)
      .filter((part) => ownerOf(part) === undefined),
  };
}

/** Sorts by the position that a template sets (0 if it sets none), then by name. */
export function byOrder<Part extends ResourceValues>(
  parts: readonly Part[],
  order: string,
  nameOf: (part: Part) => string,
): readonly Part[] {
  const position = ({ values }: Part) => Number(values[order] ?? 0);
  return [...parts].sort(
    (one, other) => position(one) - position(other) || nameOf(one).localeCompare(nameOf(other)),
  );
}

/** Reads an agent. As on the platform, its own scripts run before and after the others. */
export function seenAgent(
  agent: ResourceValues,
  resource: string,
  parts: Parts,
  shown: ViewedValues,
): SeenAgent {
  const { address, name, values } = agent;
  const text = (key: string) => stringOf(values[key]);
  const own = (key: string, scriptName: string, phase: "start" | "stop"): readonly SeenScript[] =>
    text(key) === ""
      ? []
      : [
          {
            name: scriptName,
            icon: "",
            phases: [phase],
            schedule: "",
            after: [],
            timeout: 0,
            blocksLogin: phase === "start" && text("startup_script_behavior") === "blocking",
            content: shown.value(agent, [key]),
          },
        ];
  return {
    address,
    name,
    resource,
    id: text("id"),
    os: text("os"),
    arch: text("arch"),
    auth: text("auth"),
    directory: text("dir"),
    token: text("token") === "" ? undefined : shown.value(agent, ["token"], true),
    ...parts,
    environment: [
      ...Object.keys(objectOf(values["env"])).map((key) => ({
        name: key,
        value: shown.value(agent, ["env", key]),
      })),
      ...parts.environment,
    ],
    scripts: [
      ...own("startup_script", "Startup Script", "start"),
      ...parts.scripts,
      ...own("shutdown_script", "Shutdown Script", "stop"),
    ],
    metadata: listOf(values["metadata"])
      .map(objectOf)
      .sort(
        (one, other) =>
          Number(one["order"] ?? 0) - Number(other["order"] ?? 0) ||
          stringOf(one["key"]).localeCompare(stringOf(other["key"])),
      )
      .map((one) => ({
        name: stringOf(one["display_name"]) || stringOf(one["key"]),
        interval: Number(one["interval"] ?? 0),
        script: stringOf(one["script"]),
      })),
  };
}

const withName = (app: ResourceValues) => ({
  ...app,
  shownName: stringOf(app.values["display_name"]) || slugOf(app),
});

function seenApp(app: ReturnType<typeof withName>, shown: ViewedValues): SeenApp {
  const text = (name: string) => shown.text(app, name);
  return {
    slug: slugOf(app),
    name: app.shownName,
    icon: text("icon"),
    group: text("group"),
    url: text("url"),
    command: text("command"),
    tooltip: text("tooltip"),
    share: text("share"),
    isExternal: app.values["external"] === true,
    isHidden: app.values["hidden"] === true,
  };
}

function seenScript(script: ResourceValues, shown: ViewedValues): Omit<SeenScript, "after"> {
  const { values } = script;
  const schedule = stringOf(values["cron"]);
  return {
    name: stringOf(values["display_name"]),
    icon: stringOf(values["icon"]),
    phases: [
      ...(values["run_on_start"] === true ? ["start" as const] : []),
      ...(schedule === "" ? [] : ["schedule" as const]),
      ...(values["run_on_stop"] === true ? ["stop" as const] : []),
    ],
    schedule,
    blocksLogin: values["start_blocks_login"] === true,
    timeout: Number(values["timeout"] ?? 0),
    content: shown.value(script, ["script"]),
  };
}
