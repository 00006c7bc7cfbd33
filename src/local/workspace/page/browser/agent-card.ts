import type { ScriptPhase, SeenAgent, SeenApp, SeenScript } from "../../view/seen";
import { element, badge } from "../../../service/page/browser/element.js";
import { icon, link, shownValue } from "./content.js";
import { inlineMarkdown } from "./markdown.js";

export function agentCard(agent: SeenAgent, workspace: string): HTMLElement {
  const { name, os, arch, resource, directory, token, devcontainers } = agent;
  return element(
    "section",
    { class: "card agent", "aria-label": `Agent ${name}` },
    element(
      "div",
      { class: "agent-title" },
      element("h3", {}, name),
      badge(`${os}/${arch}`),
      element("span", { class: "help" }, "runs on ", element("code", {}, resource)),
    ),
    parts(agent, workspace),
    part(
      "Metadata",
      agent.metadata.map((item) =>
        row(item.name, element("code", {}, item.script), ` every ${item.interval} s`),
      ),
    ),
    part(
      "Dev containers",
      devcontainers.map((container) =>
        element("li", {}, element("code", {}, container.folder), parts(container, workspace)),
      ),
    ),
    part("Connection", [
      ...(directory === "" ? [] : [row("Directory", element("code", {}, directory))]),
      ...(token === undefined ? [] : [row("Token", shownValue(token, workspace, "the token"))]),
    ]),
  );
}

/** Shows what belongs to an agent, or to the one inside a dev container. */
const parts = (
  of: Pick<SeenAgent, "apps" | "environment" | "scripts">,
  workspace: string,
): readonly (HTMLElement | undefined)[] => [
  apps(of.apps),
  part("Scripts", scripts(of.scripts, workspace)),
  part(
    "Variables",
    of.environment.map(({ name, value }) => row(name, shownValue(value, workspace, name))),
  ),
];

function apps(all: readonly SeenApp[]): HTMLElement | undefined {
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

function app({ name, slug, icon: url, url: target, command, ...rest }: SeenApp): HTMLElement {
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
  { share, isExternal, isHidden }: Pick<SeenApp, "share" | "isExternal" | "isHidden">,
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

function scripts(all: readonly SeenScript[], workspace: string): readonly HTMLElement[] {
  const inPhase = (phase: ScriptPhase) =>
    all
      .filter(({ phases: runs }) => runs.includes(phase))
      .map((script) => scriptRow(script, phase, workspace));
  return [...inPhase("start"), ...inPhase("schedule"), ...inPhase("stop")];
}

const scriptRow = (
  { name, icon: url, schedule, after, blocksLogin, timeout, content }: SeenScript,
  phase: ScriptPhase,
  workspace: string,
): HTMLElement =>
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
        badge(phase === "schedule" ? `${phases[phase]} ${schedule}` : phases[phase]),
        after.length === 0 || phase === "schedule" ? undefined : badge(`after ${after.join(", ")}`),
        blocksLogin && phase === "start" ? badge("blocks login") : undefined,
        timeout === 0 ? undefined : badge(`at most ${timeout} s`),
      ),
      "text" in content
        ? element("pre", { tabindex: 0, "aria-label": `Content of ${name}` }, content.text)
        : shownValue(content, workspace, name),
    ),
  );

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
