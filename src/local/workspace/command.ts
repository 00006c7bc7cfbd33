import { createHash } from "node:crypto";
import { basename, join, resolve } from "node:path";
import { type BuildRequest, type BuildVerb, buildVerbs, requireKnown } from "./state/build-request";
import { LocalPlatform, type LocalPlatformSettings } from "./local-platform";
import { buildText, importText } from "./build/report-text";
import { previewText, templateRefusals } from "./preview/preview-text";
import { declaredProduct } from "./preview/evaluated-folder";
import { localFiles } from "./preview/module-folders";
import { productOf, type TemplateProduct } from "./terraform/template-product";
import { writeJson, writeText } from "../../core/redaction/output";

/** The subcommands of `trivet local workspace`. */
export type LocalWorkspaceVerb = BuildVerb | "preview" | "import";

interface LocalWorkspaceOptions {
  readonly settings: LocalPlatformSettings;
  readonly request: Omit<BuildRequest, "transition" | "prebuild" | "claim">;
  /** The groups of the owner in a preview, other than Everyone. */
  readonly groups: readonly string[];
  readonly json: boolean;
  readonly stdout: { write(text: string): unknown };
}

/**
 * Runs `trivet local workspace`: a preview, an import or a build. Prints what the platform would see.
 *
 * @returns false if a preview has found something that the platform would refuse
 * @throws LocalPlatformError
 */
export async function runLocalWorkspace(
  verb: LocalWorkspaceVerb,
  { settings, request, groups, json, stdout }: LocalWorkspaceOptions,
): Promise<boolean> {
  const platform = new LocalPlatform(settings);
  const print = <Report>(report: Report, text: (report: Report) => string): void => {
    if (json) writeJson(stdout, report);
    else writeText(stdout, text(report));
  };
  if (verb === "preview") {
    const { parameters, variables, owner: name = "dev" } = request;
    const owner = { name, groups: ["Everyone", ...groups] };
    const preview = await platform.preview({ parameters, variables, owner, triesPresets: true });
    requireKnown(Object.keys(parameters ?? {}), preview.parameters);
    print(preview, previewText);
    const isSound = preview.diagnostics.every(({ severity }) => severity !== "error");
    return isSound && templateRefusals(preview).length === 0;
  }
  if (verb === "import") print(await platform.importTemplate(request), importText);
  else print(await platform.build({ ...request, ...buildVerbs[verb] }), buildText);
  return true;
}

/**
 * Returns the product of a template.
 *
 * @param given the user's choice
 * @throws LocalPlatformError if the template has types of another product
 */
export async function templateProduct(
  template: string,
  given: string | undefined,
): Promise<TemplateProduct> {
  return productOf(declaredProduct(await localFiles(resolve(template))), given);
}

/**
 * The default folder for state, one for each template, in the user's state folder.
 *
 * @see https://specifications.freedesktop.org/basedir-spec/latest/
 */
export function defaultStateFolder(
  template: string,
  around: { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string },
): string {
  const path = resolve(template);
  const { XDG_STATE_HOME: given = "" } = around.env;
  const base = given === "" ? join(around.home, ".local", "state") : given;
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 12);
  return join(base, "trivet", "local-workspace", `${basename(path)}-${hash}`);
}
