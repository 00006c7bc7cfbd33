import type { NamedValue, SeenResource } from "../../view/seen";
import type { PresetPrebuilds, WorkspaceView } from "../page-data";
import { agentCard } from "./agent-card.js";
import {
  notice,
  notices,
  type Child,
  element,
  fill,
  found,
  badge,
  facts,
} from "../../../service/page/browser/element.js";
import { icon, shownValue } from "./content.js";
import { inlineMarkdown } from "./markdown.js";

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
      section("Provisioner tags", texts(tags)),
      prebuildSection(prebuilds),
    );
    return;
  }
  const { owner, isPrebuild, dailyCost, taskPrompt } = workspace;
  const { agents, droppedAgents, resources } = workspace;
  fill(
    panel,
    facts([
      ["Owner", isPrebuild ? "none yet (prebuilt)" : owner],
      ["Daily cost", String(dailyCost)],
      ...(taskPrompt === undefined ? [] : [["Task", taskPrompt] as const]),
    ]),
    droppedAgents.length === 0
      ? undefined
      : notices(
          droppedAgents.map((address) =>
            notice(
              "warning",
              `No resource depends on ${address}: the platform drops it with its parts.`,
            ),
          ),
        ),
    agents.map((agent) => agentCard(agent, workspace.name)),
    section("Values in the last build", lastValues(workspace)),
    section("Resources", resources.length === 0 ? undefined : resourceList(resources, workspace)),
    section("Provisioner tags", texts(tags)),
    prebuildSection(prebuilds),
  );
}

function lastValues({ name, parameters, masked }: WorkspaceView): HTMLElement | undefined {
  const shown = Object.entries(parameters).map(
    ([parameter, value]) => [parameter, value === "" ? '""' : value] as const,
  );
  const hidden = masked.map((parameter) => {
    const secret = { address: "", path: ["parameters", parameter] };
    return [parameter, shownValue({ secret }, name, parameter)] as const;
  });
  return facts([...shown, ...hidden].sort(([one], [other]) => one.localeCompare(other)));
}

const texts = (values: Readonly<Record<string, string>>): HTMLElement | undefined =>
  facts(Object.entries(values).map(([name, value]) => [name, value === "" ? '""' : value]));

function resourceList(resources: readonly SeenResource[], { name }: WorkspaceView): HTMLElement {
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
          isHidden ? badge("hidden from users") : undefined,
          dailyCost === 0 ? undefined : badge(`daily cost ${dailyCost}`),
        ),
        facts(items.map((item) => [item.name, itemValue(item, name)])),
      ),
    ),
  );
}

/** Shows the value of an item, which is Markdown within a line. */
const itemValue = ({ name, value }: NamedValue, workspace: string): HTMLElement =>
  "text" in value
    ? element("span", { class: "value" }, inlineMarkdown(value.text))
    : shownValue(value, workspace, name);

function prebuildSection(prebuilds: readonly PresetPrebuilds[] = []): HTMLElement | undefined {
  const shown = prebuilds.filter(({ desired, ready }) => desired > 0 || ready.length > 0);
  const rows = shown.map(({ preset, desired, ready }) => {
    const names = ready.length === 0 ? "" : `: ${ready.join(", ")}`;
    return [preset, `${ready.length} of ${desired} ready${names}`] as const;
  });
  return section("Prebuilds", facts(rows));
}

/** Creates a section with a heading; undefined if it would be empty. */
function section(title: string, content: Child): HTMLElement | undefined {
  if (content === undefined) return undefined;
  return element("section", { class: "card" }, element("h3", {}, title), content);
}
