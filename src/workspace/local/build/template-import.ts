import { createHash } from "node:crypto";
import { importVariables, type PlatformFacts } from "./build-variables";
import { DependencyGraph } from "../terraform/dependency-graph";
import type { KnownTemplate } from "../state/known-template";
import { type PlatformView, platformView } from "../view/platform-view";
import { plannedResources, type ResourceValues } from "../terraform/resource-values";
import type { Terraform, LoggedOutput } from "../terraform/terraform";
import type { WorkingCopy } from "../terraform/working-copy";

/** The settings that an import depends on, other than the template itself. */
interface ImportContext {
  readonly platform: PlatformFacts;
  /** Prefix of the platform's resource types, such as `workspace_`. */
  readonly typePrefix: string;
  /** Terraform input variables. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The plan of an import, and the platform's view of it. */
interface ImportPlan {
  readonly resources: readonly ResourceValues[];
  readonly graph: DependencyGraph;
  readonly view: PlatformView;
}

const planFile = "import.tfplan";

/** Plans a template as the platform does on import: without a workspace, owner or inputs. */
export async function planImport(
  transition: "start" | "stop",
  terraform: Terraform,
  { platform, typePrefix, variables }: ImportContext,
  output: LoggedOutput,
): Promise<ImportPlan> {
  const env = importVariables(platform, transition);
  await terraform.plan(planFile, env.plan, { destroy: false, variables, output });
  const resources = plannedResources(await terraform.show(env.plain, planFile));
  const graph = new DependencyGraph(await terraform.graph(env.plain));
  return { resources, graph, view: platformView(resources, graph, typePrefix) };
}

/** Returns the part of an import that is saved, so that builds of the same version can skip the import. */
export function importedTemplate(version: string, { view }: ImportPlan): KnownTemplate {
  return { version, parameters: view.parameters, presets: view.presets };
}

/** Returns a hash of the template's content and everything else that an import depends on. */
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
