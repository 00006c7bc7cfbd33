import { Redactor } from "../../../core/redaction/redactor";
import { assignments, loginText, presetText, section } from "../preview/preview-text";
import type { Transition } from "../state/build-request";
import type { PlannedAction, PlannedChange } from "../terraform/resource-values";
import type { NamedValue, PlatformView, SeenAgent } from "../view/seen";

export function importText(report: ImportReport): string {
  return text([
    "The template can be imported.",
    ...section("Exist only while a workspace runs", report.whileStarted),
    ...viewLines(report),
    ...tagLines(report.tags),
    ...section("Warnings", report.warnings),
  ]);
}

/** A server queues the import and each build until a provisioner has all tags. A new server has none. */
const tagLines = (tags: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(tags).length === 0
    ? []
    : [
        ...section("Tags", assignments(tags)),
        "  A server builds this template only if a provisioner with these tags is connected. Without one, the",
        "  import and each build wait.",
      ];

const doneVerbs: Readonly<Record<Transition, string>> = {
  start: "is running",
  stop: "is stopped",
  delete: "is deleted",
};

export function buildText(report: BuildReport): string {
  const { workspace, owner, transition, changes, warnings, statePath } = report;
  const summary = report.skipped ? "nothing to delete" : changesText(changes);
  return text([
    `The workspace "${workspace}" of "${owner}" ${doneVerbs[transition]}: ${summary}.`,
    ...viewLines(report),
    ...section("Warnings", warnings),
    ...(statePath === undefined ? [] : ["", `State: ${statePath}`]),
  ]);
}

/** The values of masked parameters are left out, wherever the template passes them. */
function viewLines({ agents, parameters, presets, externalAuth }: PlatformView): string[] {
  const masked = new Redactor({ minLength: 4 });
  for (const { isMasked, value = "" } of parameters) if (isMasked) masked.add(value);
  const lines = [
    ...section("Agents", agents.flatMap(agentLines)),
    ...section(
      "Parameters",
      parameters.map(
        ({ name, type, value, optional, isMasked }) =>
          `${name} = ${shownValue(value, isMasked)} (${type}${optional ? ", optional" : ""})`,
      ),
    ),
    ...section(
      "Presets",
      presets.map(({ name, isDefault, parameters: values, prebuilds }) => {
        const ahead = prebuilds === 0 ? [] : [`${prebuilds} prebuilt`];
        return presetText(name, isDefault, [...assignments(values), ...ahead]);
      }),
    ),
    ...section("Required external logins", externalAuth.map(loginText)),
  ];
  return lines.map((line) => masked.redact(line));
}

function shownValue(value: string | undefined, isMasked: boolean): string {
  if (value === undefined) return "(sensitive)";
  return isMasked ? "(masked)" : JSON.stringify(value);
}

const agentLines = (agent: SeenAgent): string[] => [
  `${agent.name}: ${agent.os}/${agent.arch}, runs on ${agent.resource}`,
  ...partLines(agent),
  ...agent.devcontainers.flatMap((container) => [
    `  dev container ${container.folder}`,
    ...partLines(container).map((line) => `  ${line}`),
  ]),
];

const partLines = ({ apps, environment, scripts }: Parts): string[] => [
  ...apps.map(({ slug, url, command }) => `  app ${joined(slug, ": ", url || command)}`),
  ...environment.map((one) => `  env ${joined(one.name, "=", textOf(one))}`),
  ...scripts.map(
    ({ name, after }) =>
      `  script ${after.length === 0 ? name : `${name}, after ${after.join(", ")}`}`,
  ),
];

type Parts = Pick<SeenAgent, "apps" | "environment" | "scripts">;

const textOf = ({ value }: NamedValue): string => ("text" in value ? value.text : "");

const joined = (name: string, by: string, detail: string): string =>
  detail === "" ? name : name + by + detail;

const reportedActions: readonly PlannedAction[] = ["create", "update", "replace", "delete"];

function changesText(changes: readonly PlannedChange[]): string {
  const counts = reportedActions
    .map((action) => {
      const count = changes.filter((change) => change.action === action).length;
      return count === 0 ? "" : `${count} ${action}d`;
    })
    .filter((part) => part !== "");
  return counts.length === 0 ? "no changes" : counts.join(", ");
}

function text(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

/** The result of importing a template: its content as the platform sees it, without a workspace. */
export interface ImportReport extends PlatformView {
  /** Addresses of resources that exist only while a workspace runs. */
  readonly whileStarted: readonly string[];
  /** The tags that a provisioner needs to build the template, with default values of parameters. */
  readonly tags: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** The result of a build. It contains no secrets; those are in the state. */
export interface BuildReport extends PlatformView {
  readonly workspace: string;
  readonly owner: string;
  readonly transition: Transition;
  /** True if a deletion found nothing to delete and did not run Terraform. */
  readonly skipped: boolean;
  readonly changes: readonly PlannedChange[];
  readonly warnings: readonly string[];
  /** Path of Terraform's state file; undefined after a deletion. */
  readonly statePath: string | undefined;
}
