import { constants, copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { systemErrorCode } from "../../core/process/system-error";
import { NewProject, type ProjectOptions } from "../init/new-project";
import { projectFiles } from "../init/project-files";
import { type Library, projectName, type ProjectProduct } from "../init/project-kind";
import { commandEnvironment } from "../invocation/command-environment";
import { CommandError, ExitCode, print } from "../invocation/failure";
import { readConfiguration } from "./configuration";
import { converted, type Conversion } from "./conversion";

export interface ConvertOptions extends ProjectOptions {
  readonly library?: Library;
  readonly product?: ProjectProduct;
}

/** The folder for the rest of the configuration, in HCL. */
const keptFolder = "hcl";

/** Runs `trivet convert`. */
export async function runConvert(
  given: string,
  target: string | undefined,
  options: ConvertOptions,
): Promise<void> {
  const { workingFolder } = commandEnvironment();
  const folder = resolve(workingFolder, given);
  const { others, links } = filesIn(folder);
  const project = resolve(workingFolder, target ?? `${basename(folder)}-project`);
  refuseTarget(folder, project);
  const { library = "cdktf", product } = options;
  const configuration = await readConfiguration(folder);
  if (configuration.length === 0) {
    throw new CommandError(
      `${folder} contains no .tf files.`,
      "Name the folder of a configuration in HCL.",
      ExitCode.usage,
    );
  }
  const conversion = converted(configuration, product !== "trivet");
  if (conversion.converted.length === 0) throw nothingToConvert(folder);

  const created = new NewProject(project, { folder: "init", uses: "@trivet/constructs" }, options);
  const { templates, versions } = created;
  const name = projectName(project, Object.keys(versions));
  const files = new Map(
    projectFiles({
      kind: "converted",
      library,
      product: undefined,
      backend: "local",
      ci: undefined,
      name,
      templates,
      versions,
      changed: new Map([["main-stack.ts", conversion.stack]]),
    }),
  );
  for (const [file, text] of conversion.files) {
    if (text !== undefined) files.set(`${keptFolder}/${file}`, text);
  }
  const { converted: constructs, kept } = conversion;
  await created.write(
    files,
    { library, product, converted: constructs, kept, links },
    "The README.md of the project says what to do next.",
  );
  for (const path of others) {
    if (!conversion.files.has(path)) copy(join(folder, path), join(project, keptFolder, path));
  }
  if (options.json !== true) print(summaryOf(conversion, links));
}

function summaryOf({ converted, kept }: Conversion, links: readonly string[]): string {
  const lines = kept.map(
    ({ place, address, reason }) =>
      `  ${place}  ${address}${reason === undefined ? "" : `: ${reason}`}`,
  );
  const count = (all: readonly unknown[], one: string) =>
    `${all.length} ${one}${all.length === 1 ? "" : "s"}`;
  return [
    `\n${count(converted, "construct")} in main-stack.ts.`,
    ...(kept.length === 0
      ? ["Nothing stays in HCL."]
      : [`${count(kept, "block")} in ${keptFolder}/, without an equivalent construct:`, ...lines]),
    ...(links.length === 0
      ? []
      : [`Left out, because they are symbolic links: ${links.join(", ")}.`]),
  ].join("\n");
}

/** Checks for a file of the configuration, instead of a checkout or a run of Terraform. */
const isOwn = (path: string): boolean =>
  !path.split("/").some((part) => /^(?:\.git|\.terraform|node_modules)$/.test(part)) &&
  !/(?:^|\/)[^/]*\.tfstate(?:\.[^/]*)?$/.test(path);

/** The files in a folder, and the links, which may lead outside of the configuration. */
function filesIn(folder: string): Record<"others" | "links", readonly string[]> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const named = (is: "isFile" | "isSymbolicLink") =>
      entries
        .filter((entry) => entry[is]())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
        .filter(isOwn);
    return { others: named("isFile"), links: named("isSymbolicLink").sort() };
  } catch (failure) {
    if (!(failure instanceof Error) || systemErrorCode(failure) === undefined) throw failure;
    throw new CommandError(
      `${folder} cannot be read: ${failure.message}.`,
      "Name the folder of a configuration in HCL.",
      ExitCode.usage,
      { cause: failure },
    );
  }
}

function refuseTarget(folder: string, project: string): void {
  const isInside = !relative(folder, project).startsWith("..");
  const stat = statSync(project, { throwIfNoEntry: false });
  const isFree = stat === undefined || (stat.isDirectory() && readdirSync(project).length === 0);
  if (!isInside && isFree) return;
  throw new CommandError(
    isInside ? `${project} is in the configuration.` : `${project} is not empty.`,
    "Name an empty or new folder outside of the configuration. Nothing was written.",
    ExitCode.usage,
  );
}

const nothingToConvert = (folder: string): CommandError =>
  new CommandError(
    `Nothing in ${folder} can be converted: it has no resource, variable, output or module with a construct.`,
    "The guide lists what `trivet convert` converts. Nothing was written.",
  );

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to, constants.COPYFILE_EXCL);
}
