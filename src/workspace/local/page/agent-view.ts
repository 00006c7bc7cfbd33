import type { ScriptGraph } from "../../script-order/script-graph";
import { listOf, objectOf, stringOf } from "../terraform/json-value";
import { scriptOrder } from "../view/script-order";
import type { HiddenValues } from "./hidden-values";
import type { AgentView, AppView, NamedValue, ScriptView } from "./page-data";
import { type StateInstance, valueAt } from "../state/state-instances";

/** Reads an agent and its parts, which refer to its ID. */
export function agentView(
  agent: StateInstance,
  all: readonly StateInstance[],
  typePrefix: string,
  runsOn: readonly string[],
  hidden: HiddenValues,
): AgentView {
  const id = valueAt(agent, ["id"]);
  const parts = (type: string) =>
    all.filter(
      (one) => one.type === typePrefix + type && id !== "" && valueAt(one, ["agent_id"]) === id,
    );
  const { attributes } = agent;
  const token = { address: agent.address, path: ["token"] };
  return {
    address: agent.address,
    name: agent.name,
    os: stringOf(attributes["os"]),
    arch: stringOf(attributes["arch"]),
    directory: stringOf(attributes["dir"]),
    runsOn,
    token: stringOf(attributes["token"]) === "" ? undefined : { secret: token },
    apps: inOrder(parts("app"), (app) => app.attributes["order"], appName).map((app) =>
      appView(app, hidden),
    ),
    environment: [
      ...Object.keys(objectOf(attributes["env"])).map((name) => ({
        name,
        value: hidden.shown(agent, ["env", name]),
      })),
      ...parts("env").map((one): NamedValue => ({
        name: valueAt(one, ["name"]),
        value: hidden.shown(one, ["value"]),
      })),
    ],
    scripts: scriptsInOrder(agent, parts("script"), graphOfScripts(all, typePrefix), hidden),
    metadata: inOrder(
      listOf(attributes["metadata"]).map(objectOf),
      (one) => one["order"],
      (one) => stringOf(one["key"]),
    ).map((one) => ({
      name: stringOf(one["display_name"]) || stringOf(one["key"]),
      interval: Number(one["interval"] ?? 0),
      script: stringOf(one["script"]),
    })),
    devcontainers: parts("devcontainer").map((one) => valueAt(one, ["workspace_folder"])),
  };
}

/** Sorts by the position that a template sets (0 if it sets none), then by name. */
export function inOrder<Part>(
  parts: readonly Part[],
  orderOf: (part: Part) => unknown,
  nameOf: (part: Part) => string,
): readonly Part[] {
  const order = (part: Part) => Number(orderOf(part) ?? 0);
  return [...parts].sort(
    (one, other) => order(one) - order(other) || nameOf(one).localeCompare(nameOf(other)),
  );
}

const appName = (app: StateInstance): string =>
  valueAt(app, ["display_name"]) || valueAt(app, ["slug"]);

function appView(app: StateInstance, hidden: HiddenValues): AppView {
  const text = (name: string) => (hidden.hides(app, [name]) ? "" : valueAt(app, [name]));
  return {
    slug: text("slug"),
    name: appName(app),
    icon: text("icon"),
    group: text("group"),
    url: text("url"),
    command: text("command"),
    tooltip: text("tooltip"),
    share: text("share"),
    isExternal: app.attributes["external"] === true,
    isHidden: app.attributes["hidden"] === true,
  };
}

/**
 * Returns scripts in their order. The agent's own scripts come first, as on the platform, which turns them
 * into scripts.
 */
function scriptsInOrder(
  agent: StateInstance,
  scripts: readonly StateInstance[],
  graph: ScriptGraph,
  hidden: HiddenValues,
): readonly ScriptView[] {
  const own = (attribute: string, name: string, phase: ScriptView["phase"]) =>
    valueAt(agent, [attribute]) === ""
      ? []
      : [
          {
            name,
            phase,
            icon: "",
            schedule: "",
            after: [],
            timeout: 0,
            blocksLogin:
              phase === "start" && agent.attributes["startup_script_behavior"] === "blocking",
            content: hidden.shown(agent, [attribute]),
          },
        ];
  const running = (phase: ScriptView["phase"], runs: (script: StateInstance) => boolean) =>
    graph
      .sorted(scripts, ({ address }) => address)
      .filter(runs)
      .map((script) => ({
        ...scriptView(script, phase, earlierThan(script)),
        content: hidden.shown(script, ["script"]),
      }));
  const earlierThan = ({ address }: StateInstance) =>
    graph.before(address).flatMap((each) => {
      const script = scripts.find((one) => one.address === each);
      return script === undefined ? [] : [valueAt(script, ["display_name"])];
    });
  return [
    ...own("startup_script", "Startup Script", "start"),
    ...running("start", ({ attributes }) => attributes["run_on_start"] === true),
    ...running("schedule", (script) => valueAt(script, ["cron"]) !== ""),
    ...running("stop", ({ attributes }) => attributes["run_on_stop"] === true),
    ...own("shutdown_script", "Shutdown Script", "stop"),
  ];
}

function graphOfScripts(all: readonly StateInstance[], typePrefix: string): ScriptGraph {
  const resources = all.map((each) => ({ ...each, values: each.attributes }));
  // A workspace has been built of the template, so the rules are valid.
  return scriptOrder(
    resources,
    typePrefix,
    () => undefined,
    () => true,
  ).graph;
}

function scriptView(
  script: StateInstance,
  phase: ScriptView["phase"],
  after: readonly string[],
): Omit<ScriptView, "content"> {
  return {
    name: valueAt(script, ["display_name"]),
    icon: valueAt(script, ["icon"]),
    phase,
    schedule: phase === "schedule" ? valueAt(script, ["cron"]) : "",
    after: phase === "schedule" ? [] : after,
    blocksLogin: phase === "start" && script.attributes["start_blocks_login"] === true,
    timeout: Number(script.attributes["timeout"] ?? 0),
  };
}
