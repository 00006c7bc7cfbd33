import type { AgentView, AppView, ScriptPhase, ScriptView } from "../page-data";
import { element } from "../../../../local-service/page/browser/element.js";
import { icon, link, shownValue } from "./content.js";
import { badge } from "../../../../local-service/page/browser/facts.js";
import { inlineMarkdown } from "./markdown.js";

/** Shows an agent with its apps, scripts, variables and metadata. */
export function agentCard(agent: AgentView, workspace: string): HTMLElement {
  const { name, os, arch, runsOn, directory, token, devcontainers } = agent;
  return element(
    "section",
    { class: "card agent", "aria-label": `Agent ${name}` },
    element(
      "div",
      { class: "agent-title" },
      element("h3", {}, name),
      badge(`${os}/${arch}`),
      element("span", { class: "help" }, "runs on ", element("code", {}, runsOn.join(", "))),
    ),
    apps(agent.apps),
    part("Scripts", scripts(agent.scripts, workspace)),
    part(
      "Variables",
      agent.environment.map(({ name: variable, value }) =>
        row(variable, shownValue(value, workspace, variable)),
      ),
    ),
    part(
      "Metadata",
      agent.metadata.map((item) =>
        row(item.name, element("code", {}, item.script), ` every ${item.interval} s`),
      ),
    ),
    part(
      "Dev containers",
      devcontainers.map((folder) => element("li", {}, element("code", {}, folder))),
    ),
    part("Connection", [
      ...(directory === "" ? [] : [row("Directory", element("code", {}, directory))]),
      ...(token === undefined ? [] : [row("Token", shownValue(token, workspace, "the token"))]),
    ]),
  );
}

function apps(all: readonly AppView[]): HTMLElement | undefined {
  if (all.length === 0) return undefined;
  const groups = [...new Set(all.map(({ group }) => group))];
  return element(
    "div",
    { class: "app-groups" },
    groups.map((group) =>
      element(
        "div",
        { class: "app-group" },
        group === "" ? undefined : element("h4", {}, group),
        element(
          "ul",
          { class: "apps" },
          all.filter((one) => one.group === group).map((one) => element("li", {}, app(one))),
        ),
      ),
    ),
  );
}

function app({ name, slug, icon: url, url: target, command, ...rest }: AppView): HTMLElement {
  const label = element("span", { class: "app-name" }, name);
  const opened = link(target, "");
  const where = target || command || "opens nothing";
  const content = [
    icon(url),
    element(
      "span",
      { class: "app-text" },
      label,
      element("span", { class: "help", title: where }, where),
      element("span", { class: "help" }, details(slug, rest)),
      rest.tooltip === ""
        ? undefined
        : element("span", { class: "help tooltip" }, inlineMarkdown(rest.tooltip, false)),
    ),
  ];
  if (opened === undefined) return element("div", { class: "app" }, ...content);
  opened.classList.add("app");
  opened.append(...content.filter((node) => node !== undefined));
  return opened;
}

function details(
  slug: string,
  { share, isExternal, isHidden }: Pick<AppView, "share" | "isExternal" | "isHidden">,
): string {
  return [
    slug,
    ...(share === "" || share === "owner" ? [] : [`shared: ${share}`]),
    ...(isExternal ? ["external"] : []),
    ...(isHidden ? ["hidden from users"] : []),
  ].join(" · ");
}

const phases: Readonly<Record<ScriptPhase, string>> = {
  start: "at start",
  schedule: "on schedule",
  stop: "before the stop",
};

function scripts(all: readonly ScriptView[], workspace: string): readonly HTMLElement[] {
  return all.map(({ name, icon: url, phase, schedule, after, blocksLogin, timeout, content }) =>
    element(
      "li",
      { class: "script" },
      element(
        "details",
        {},
        element(
          "summary",
          {},
          icon(url),
          element("span", {}, name),
          badge(schedule === "" ? phases[phase] : `${phases[phase]} ${schedule}`),
          after.length === 0 ? undefined : badge(`after ${after.join(", ")}`),
          blocksLogin ? badge("blocks login") : undefined,
          timeout === 0 ? undefined : badge(`at most ${timeout} s`),
        ),
        "text" in content
          ? element("pre", { tabindex: 0, "aria-label": `Content of ${name}` }, content.text)
          : shownValue(content, workspace, name),
      ),
    ),
  );
}

const row = (name: string, ...value: readonly (Node | string)[]): HTMLElement =>
  element(
    "li",
    {},
    element("span", { class: "row-name" }, name),
    element("span", { class: "row-value" }, value),
  );

function part(title: string, rows: readonly HTMLElement[]): HTMLElement | undefined {
  if (rows.length === 0) return undefined;
  const list = title === "Scripts" ? "ol" : "ul";
  return element("div", { class: "part" }, element("h4", {}, title), element(list, {}, rows));
}
