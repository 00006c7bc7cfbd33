import type { PresetPrebuilds, ResourceView, WorkspaceView } from "../page-data";
import { agentCard } from "./agent-card.js";
import { notice } from "./diagnostics.js";
import { type Child, element, fill, found } from "./element.js";
import { icon } from "./icon.js";
import { shownValue } from "./shown-value.js";

/** Shows a workspace after its last build, or that there is no workspace. */
export function showWorkspace(
  workspace: WorkspaceView | undefined,
  tags: Readonly<Record<string, string>>,
  prebuilds: readonly PresetPrebuilds[] | undefined,
): void {
  const panel = found("workspace", HTMLElement);
  if (workspace === undefined) {
    const text =
      "Fill in the form and create a workspace. What the platform would show appears here.";
    fill(
      panel,
      element("p", { class: "empty" }, text),
      section("Provisioner tags", facts(tags)),
      prebuildSection(prebuilds),
    );
    return;
  }
  const { agents, droppedAgents, parameters, resources } = workspace;
  fill(
    panel,
    factList(workspace),
    droppedAgents.length === 0
      ? undefined
      : element(
          "ul",
          { class: "notices" },
          droppedAgents.map((address) =>
            notice(
              "warning",
              workspace.status === "stopped"
                ? `The agent ${address} has no machine while the workspace is stopped.`
                : `No resource depends on ${address}: the platform drops it with its parts.`,
            ),
          ),
        ),
    agents.map((agent) => agentCard(agent, workspace.name)),
    section("Values in the last build", facts(parameters)),
    section("Resources", resources.length === 0 ? undefined : resourceList(resources, workspace)),
    section("Provisioner tags", facts(tags)),
    prebuildSection(prebuilds),
  );
}

function factList({ owner, isPrebuild, dailyCost, taskPrompt }: WorkspaceView) {
  return element(
    "dl",
    { class: "facts" },
    fact("Owner", isPrebuild ? "none yet (prebuilt)" : owner),
    fact("Daily cost", String(dailyCost)),
    taskPrompt === undefined ? undefined : fact("Task", taskPrompt),
  );
}

function facts(values: Readonly<Record<string, string>>): HTMLElement | undefined {
  const all = Object.entries(values);
  if (all.length === 0) return undefined;
  return element(
    "dl",
    { class: "facts" },
    all.map(([name, value]) => fact(name, value === "" ? '""' : value)),
  );
}

const fact = (name: string, value: string): HTMLElement =>
  element("div", {}, element("dt", {}, name), element("dd", {}, value));

function resourceList(resources: readonly ResourceView[], { name }: WorkspaceView): HTMLElement {
  return element(
    "ul",
    { class: "resources" },
    resources.map(({ address, icon: url, isHidden, dailyCost, items }) =>
      element(
        "li",
        {},
        element(
          "div",
          { class: "resource-title" },
          icon(url),
          element("code", {}, address),
          isHidden ? element("span", { class: "badge" }, "hidden from users") : undefined,
          dailyCost === 0
            ? undefined
            : element("span", { class: "badge" }, `daily cost ${dailyCost}`),
        ),
        items.length === 0
          ? undefined
          : element(
              "dl",
              { class: "facts" },
              items.map((item) =>
                element(
                  "div",
                  {},
                  element("dt", {}, item.name),
                  element("dd", {}, shownValue(item.value, name, item.name)),
                ),
              ),
            ),
      ),
    ),
  );
}

function prebuildSection(prebuilds: readonly PresetPrebuilds[] = []): HTMLElement | undefined {
  const shown = prebuilds.filter(({ desired, ready }) => desired > 0 || ready.length > 0);
  return section(
    "Prebuilds",
    shown.length === 0
      ? undefined
      : element(
          "dl",
          { class: "facts" },
          shown.map(({ preset, desired, ready }) => {
            const names = ready.length === 0 ? "" : `: ${ready.join(", ")}`;
            return fact(preset, `${ready.length} of ${desired} ready${names}`);
          }),
        ),
  );
}

/** Creates a section with a heading; undefined if it would be empty. */
function section(title: string, content: Child): HTMLElement | undefined {
  if (content === undefined) return undefined;
  return element("section", { class: "card" }, element("h3", {}, title), content);
}
