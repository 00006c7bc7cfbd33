import { createHash } from "node:crypto";
import { importVariables, type PlatformFacts } from "./build-variables";
import { DependencyGraph } from "../terraform/dependency-graph";
import type { KnownTemplate, BuildRequest } from "../state/build-request";
import { type PlatformReading, platformReading } from "../view/platform-view";
import { plannedResources } from "../terraform/resource-values";
import type { Terraform, LoggedOutput } from "../terraform/terraform";
import type { WorkingCopy } from "../terraform/working-copy";
import { previewOwner } from "../preview/template-preview";
import { templateRefusals } from "../preview/preview-text";
import { requireSmallArchive, requirePlainVariables } from "../terraform/template-archive";
import { refuse } from "../view/platform-checks";
import type { Preview } from "../preview/preview";
import type { PlaceholderOwner } from "../state/placeholder-facts";
import type { StateFolder } from "../state/state-folder";

interface ImportContext {
  readonly platform: PlatformFacts;
  /** Prefix of the platform's resource types, such as `workspace_`. */
  readonly typePrefix: string;
  readonly variables: Readonly<Record<string, string>>;
}

interface ImportPlan extends PlatformReading {
  /** The addresses of all resources. */
  readonly managed: readonly string[];
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
  const managed = resources.filter(({ mode }) => mode === "managed");
  return {
    managed: managed.map(({ address }) => address),
    ...platformReading(resources, graph, typePrefix, platform.version),
  };
}

/** Returns the part of an import to save: builds of the same version skip the import. */
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
  const entered = Object.entries(variables).sort();
  const all = [contentHash, typePrefix, prefix, accessUrl, entered, given.sort()];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex");
}

/**
 * Previews a template.
 *
 * @throws LocalPlatformError if the platform refuses the template before it runs Terraform
 */
export async function acceptedPreview(
  folder: string,
  preview: () => Promise<Preview>,
): Promise<Preview> {
  await requireSmallArchive(folder);
  await requirePlainVariables(folder);
  const seen = await preview();
  refuse(templateRefusals(seen), "The platform refuses the template before it runs Terraform.");
  return seen;
}

/**
 * Imports the template unless this version is already imported: the platform imports each version before it builds, and
 * passes the value of every parameter.
 */
export async function knownTemplate(
  { transition, variables = {} }: BuildRequest,
  copy: WorkingCopy,
  terraform: Terraform,
  { platform, typePrefix, state, log, preview, template: { folder } }: BuildContext,
): Promise<KnownTemplate> {
  const context = { platform, typePrefix, variables };
  const version = templateVersion(copy, context);
  const known = await state.template();
  if (known?.version === version) return known;
  // A broken template must not prevent a deletion.
  if (transition === "delete") return known ?? { version, parameters: [], presets: [] };
  await acceptedPreview(folder, () => {
    log(`Importing the template, which ${known === undefined ? "is new" : "has changed"}.`);
    return preview({ parameters: {}, variables, owner: previewOwner(), triesPresets: true });
  });
  const plan = await planImport("start", terraform, context, "none");
  refuse(plan.refusals);
  const imported = importedTemplate(version, plan);
  await state.saveTemplate(imported);
  return imported;
}

/** The settings and services of the platform that a build needs. */
export interface BuildContext {
  readonly seed: string;
  readonly buildId: string;
  readonly template: {
    readonly folder: string;
    readonly id: string;
    readonly name: string;
    readonly version: string;
  };
  readonly platform: PlatformFacts;
  readonly typePrefix: string;
  readonly state: StateFolder;
  readonly terraformIn: (folder: string) => Terraform;
  /** Evaluates the template before Terraform runs. */
  readonly preview: (inputs: {
    readonly parameters: Readonly<Record<string, string>>;
    readonly variables: Readonly<Record<string, string>>;
    readonly owner: PlaceholderOwner;
    readonly triesPresets: boolean;
  }) => Promise<Preview>;
  readonly log: (line: string) => void;
}
