import { importVariables, type PlatformFacts } from "./build-variables";
import { DependencyGraph } from "./dependency-graph";
import { LocalPlatformError } from "./local-platform-error";
import { platformView } from "./platform-view";
import { plannedResources } from "./resource-values";
import type { Terraform } from "./terraform";

const PLAN_FILE = "presets.tfplan";

/**
 * The inputs that a preset of the template stands for. The platform knows them from the import, so the
 * template is planned as it is there.
 *
 * @throws LocalPlatformError when there is no such preset
 */
export async function presetParameters(
  name: string,
  terraform: Terraform,
  context: {
    readonly platform: PlatformFacts;
    readonly typePrefix: string;
    readonly variables: Readonly<Record<string, string>>;
  },
): Promise<Readonly<Record<string, string>>> {
  const { platform, typePrefix, variables } = context;
  const env = importVariables(platform, "start");
  await terraform.plan(PLAN_FILE, env.plan, { destroy: false, variables });
  const resources = plannedResources(await terraform.show(env.plain, PLAN_FILE));
  const { presets } = platformView(resources, new DependencyGraph(""), typePrefix);
  const preset = presets.find((one) => one.name === name);
  if (preset !== undefined) return preset.parameters;
  const names = presets.map((one) => `"${one.name}"`).join(", ");
  throw new LocalPlatformError(
    "REQUEST",
    `The template has no preset "${name}".`,
    names === "" ? "It has none at all." : `It has ${names}.`,
  );
}
