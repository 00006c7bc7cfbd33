import { listOf, objectOf } from "../terraform/json-value";
import type { WorkspaceRecord } from "../state/state-folder";
import { ownValue } from "../../../json/plain-json";
import { agentView, inOrder } from "./agent-view";
import { HiddenValues } from "./hidden-values";
import type {
  ResourceView,
  SecretReference,
  WorkspaceStatus,
  WorkspaceSummary,
  WorkspaceView,
} from "./page-data";
import { type StateInstance, stateInstances, valueAt } from "../state/state-instances";

/** Reads a workspace from its record and Terraform's state, without running Terraform. */
export function workspaceView(
  record: WorkspaceRecord,
  state: string | undefined,
  typePrefix: string,
): WorkspaceView {
  const all = stateInstances(state ?? "");
  const ofType = (type: string) => all.filter((one) => one.type === typePrefix + type);
  const others = all.filter((one) => one.mode === "managed" && !one.type.startsWith(typePrefix));
  const agents = inOrder(
    ofType("agent"),
    (agent) => agent.attributes["order"],
    ({ name }) => name,
  );
  const hosts = [...others, ...ofType("external_agent")];
  const runsOn = (agent: StateInstance) =>
    hosts
      .filter(({ dependencies }) => dependencies.includes(agent.label))
      .map(({ address }) => address);
  const hidden = new HiddenValues(Object.values(maskedValues(record)));
  const resources = resourceViews(others, ofType("metadata"), hidden);
  return {
    ...workspaceSummary(record, state, typePrefix),
    parameters: Object.fromEntries(
      Object.entries(record.parameters).filter(([name]) => !record.masked.includes(name)),
    ),
    masked: Object.keys(maskedValues(record)),
    taskPrompt: record.task?.prompt,
    agents: agents
      .filter((agent) => runsOn(agent).length > 0)
      .map((agent) => agentView(agent, all, typePrefix, runsOn(agent), hidden)),
    droppedAgents: agents
      .filter((agent) => runsOn(agent).length === 0)
      .map(({ address }) => address),
    resources,
    dailyCost: resources.reduce((sum, { dailyCost }) => sum + dailyCost, 0),
  };
}

/** The values of masked parameters in the last build, by name. */
export const maskedValues = ({
  parameters,
  masked,
}: WorkspaceRecord): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => masked.includes(name)));

/** The part of {@link workspaceView} that the list of workspaces shows. */
export function workspaceSummary(
  { name, owner, isPrebuild }: WorkspaceRecord,
  state: string | undefined,
  typePrefix: string,
): WorkspaceSummary {
  return { name, owner, isPrebuild, status: statusOf(stateInstances(state ?? ""), typePrefix) };
}

/**
 * Returns the status after the last build: from the transition if the template reads it, otherwise from the
 * existing resources.
 */
function statusOf(all: readonly StateInstance[], typePrefix: string): WorkspaceStatus {
  const managed = all.filter(({ mode }) => mode === "managed");
  if (managed.length === 0) return "not built";
  const data = all.find(({ mode, type }) => mode === "data" && type === `${typePrefix}workspace`);
  if (data !== undefined) {
    return valueAt(data, ["transition"]) === "start" ? "running" : "stopped";
  }
  const agents = managed.filter(({ type }) => type === `${typePrefix}agent`);
  const others = managed.filter(({ type }) => !type.startsWith(typePrefix));
  const hasMachine = others.some(({ dependencies }) =>
    agents.some(({ label }) => dependencies.includes(label)),
  );
  return hasMachine || agents.length === 0 ? "running" : "stopped";
}

/** Joins resources with their metadata, which refers to the ID of a resource. */
function resourceViews(
  resources: readonly StateInstance[],
  metadata: readonly StateInstance[],
  hidden: HiddenValues,
): readonly ResourceView[] {
  return resources.map((resource) => {
    const described = metadata.find((one) => describes(one, resource));
    return {
      address: resource.address,
      type: resource.type,
      icon: described === undefined ? "" : valueAt(described, ["icon"]),
      isHidden: described?.attributes["hide"] === true,
      dailyCost: Number(described?.attributes["daily_cost"] ?? 0),
      items:
        described === undefined
          ? []
          : listOf(described.attributes["item"]).map((item, at) => ({
              name: valueAt(described, ["item", at, "key"]),
              value:
                objectOf(item)["sensitive"] === true
                  ? { secret: { address: described.address, path: ["item", at, "value"] } }
                  : hidden.shown(described, ["item", at, "value"]),
            })),
    };
  });
}

function describes(metadata: StateInstance, resource: StateInstance): boolean {
  const id = valueAt(metadata, ["resource_id"]);
  return (
    metadata.dependencies.includes(resource.label) &&
    (id === "" || id === valueAt(resource, ["id"]))
  );
}

/** Returns the value of a secret that a view refers to; undefined if the view has no such secret. */
export function revealed(
  record: WorkspaceRecord,
  state: string | undefined,
  { address, path }: SecretReference,
  typePrefix: string,
): string | undefined {
  const masked = maskedValues(record);
  const [attribute, index, field] = path;
  if (address === "") return ownValue(masked, String(index));
  const instance = stateInstances(state ?? "").find((one) => one.address === address);
  if (instance?.type.startsWith(typePrefix) !== true) return undefined;
  const isToken = instance.type === `${typePrefix}agent` && attribute === "token";
  const isItem =
    instance.type === `${typePrefix}metadata` && attribute === "item" && field === "value";
  const isHidden = new HiddenValues(Object.values(masked)).hides(instance, path);
  return isToken || isItem || isHidden ? valueAt(instance, path) : undefined;
}
