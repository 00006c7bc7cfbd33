import { createHash } from "node:crypto";
import { importVariables, type PlatformFacts } from "./build-variables";
import { DependencyGraph } from "../terraform/dependency-graph";
import type { KnownTemplate } from "../state/known-template";
import { type PlatformView, platformView } from "../view/platform-view";
import { plannedResources, type ResourceValues } from "../terraform/resource-values";
import type { Terraform, CommandResult } from "../terraform/terraform";
import type { WorkingCopy } from "../terraform/working-copy";

export interface ImportContext {
  readonly platform: PlatformFacts;
  readonly typePrefix: string;
  /** Terraform's input variables. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface ImportPlan {
  readonly resources: readonly ResourceValues[];
  readonly graph: DependencyGraph;
  readonly view: PlatformView;
}

const PLAN_FILE = "import.tfplan";

/** Plans a template as the platform imports it: no workspace, no owner, no inputs. */
export async function planImport(
  transition: "start" | "stop",
  terraform: Terraform,
  { platform, typePrefix, variables }: ImportContext,
  tells: CommandResult,
): Promise<ImportPlan> {
  const env = importVariables(platform, transition);
  await terraform.plan(PLAN_FILE, env.plan, { destroy: false, variables, tells });
  const resources = plannedResources(await terraform.show(env.plain, PLAN_FILE));
  const graph = new DependencyGraph(await terraform.graph(env.plain));
  return { resources, graph, view: platformView(resources, graph, typePrefix) };
}

/** What to remember of an import, so that builds of the same template need none. */
export function importedTemplate(version: string, { view }: ImportPlan): KnownTemplate {
  return { version, parameters: view.parameters, presets: view.presets };
}

/** A version of the template: its content, and what else has a say in what an import finds. */
export function templateVersion(
  { contentHash }: WorkingCopy,
  { platform, typePrefix, variables }: ImportContext,
): string {
  const { env, prefix, accessUrl } = platform;
  const given = Object.entries(env).filter(([name]) => name.startsWith("TF_VAR_"));
  const all = [contentHash, typePrefix, prefix, accessUrl, sorted(variables), given.sort()];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex");
}

function sorted(values: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
}
