import { previewOwner } from "../preview/preview-owner";
import { templateRefusals } from "../preview/preview-refusals";
import type { BuildRequest } from "../state/build-request";
import type { KnownTemplate } from "../state/known-template";
import { requireSmallArchive } from "../terraform/template-archive";
import { requirePlainVariables } from "../terraform/template-variables";
import type { Terraform } from "../terraform/terraform";
import type { WorkingCopy } from "../terraform/working-copy";
import { refuse } from "../view/platform-checks";
import { importedTemplate, planImport, templateVersion } from "./template-import";
import type { BuildContext } from "./build-context";

/** The reason for which nothing was planned. */
export const refusedBeforeTerraform = "The platform refuses the template before it runs Terraform.";

/**
 * Imports the template unless this version was imported before: the platform knows each version before
 * it builds, and passes the value of every parameter.
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
  // Nothing may prevent a deletion, not even a template that no longer works.
  if (transition === "delete") return known ?? { version, parameters: [], presets: [] };
  await requireSmallArchive(folder);
  await requirePlainVariables(folder);
  log(`Importing the template, which ${known === undefined ? "is new" : "has changed"}.`);
  const seen = await preview({ parameters: {}, variables, owner: previewOwner() });
  refuse(templateRefusals(seen), refusedBeforeTerraform);
  const plan = await planImport("start", terraform, context, "none");
  const imported = importedTemplate(version, plan);
  await state.saveTemplate(imported);
  return imported;
}
