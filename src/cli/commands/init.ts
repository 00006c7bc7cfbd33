import { join } from "node:path";
import { Argument, Command, Option } from "commander";
import type { NewProject, ProjectOptions } from "../init/new-project";
import {
  libraries,
  pipelineServices,
  projectKinds,
  type Choice,
  type Choices,
  type Library,
  type PipelineService,
  type ProjectKind,
  type ProjectProduct,
  projectProducts,
  type StateBackend,
  stateBackends,
} from "../init/project-kind";
import { exists } from "../invocation/command-environment";
import { CommandError, ExitCode, note } from "../invocation/failure";
import type { Properties } from "../../core/json/plain-json";
import { withProjectOptions } from "./options";

interface Options extends ProjectOptions {
  readonly library?: Library;
  readonly ci?: PipelineService;
  readonly product?: ProjectProduct;
  readonly backend?: StateBackend;
}

const kindNames = projectKinds.map(({ name }) => name);
const services = pipelineServices.filter(({ name }) => name !== "none");

const choice = (flags: string, meaning: string, choices: readonly Choice<string>[]): Option =>
  new Option(flags, meaning).choices(choices.map(({ name }) => name));

/** `trivet init`: writes a new project. */
export function initCommand(): Command {
  const command = new Command("init")
    .summary("create a project with a first stack")
    .description(
      "Writes a small, complete project into an empty or new folder: a first stack with its " +
        "test, and scripts that deploy it to a local back end or to the real service.",
    )
    .addArgument(new Argument("[kind]", "what the stack is for").choices(kindNames))
    .argument("[folder]", "where to write the project", ".")
    .addOption(choice("--library <name>", "the library of the project (default: cdktf)", libraries))
    .addOption(
      choice("--product <name>", "the platform of a template (default: trivet)", projectProducts),
    )
    .addOption(choice("--ci <service>", "add a pipeline that tests, plans and deploys", services))
    .addOption(choice("--backend <name>", "where states are kept (default: local)", stateBackends));
  return withProjectOptions(command)
    .addHelpText(
      "after",
      `
Kinds:
${projectKinds.map(({ name, help }) => `  ${name.padEnd(10)}${help}`).join("\n")}

On a terminal, it asks for what the command line leaves open. It never
overwrites a file. In a project that has a cdktf.json, --ci without a kind adds
only the pipeline.

Examples:
  trivet init
  trivet init ids watch --library cdktn
  trivet init template dev --product coder
  trivet init ids watch --ci github --backend s3
  trivet init --ci gitlab               in a project that exists`,
    )
    .action(init);
}

const uses = "@trivet/constructs";

async function init(
  givenKind: ProjectKind | undefined,
  folder: string,
  options: Options,
): Promise<void> {
  const { NewProject } = await import("../init/new-project.js");
  const project = new NewProject(folder, { folder: "init", uses }, options);
  const isExisting = givenKind === undefined && (await exists(join(project.folder, "cdktf.json")));
  if (options.ci !== undefined && isExisting) await addPipeline(project, options.ci, options);
  else await writeNew(project, givenKind, options);
}

async function addPipeline(
  project: NewProject,
  ci: PipelineService,
  options: Options,
): Promise<void> {
  for (const name of ["library", "product", "backend"] as const) {
    if (options[name] !== undefined) throw notAdded(name);
  }
  const { dependenciesOf } = await import("../init/package-source.js");
  const { pipelineFiles } = await import("../init/project-files.js");
  const dependencies = dependenciesOf(project.folder, uses);
  const added = new Map(pipelineFiles(ci, project.templates, undefined));
  added.delete("README.md");
  await project.write(added, { ci }, "The file of the pipeline describes what to set up.");
  await noteMissing(dependencies, project.folder);
}

async function writeNew(
  project: NewProject,
  givenKind: ProjectKind | undefined,
  options: Options,
): Promise<void> {
  const { isDeployed, projectFiles } = await import("../init/project-files.js");
  const { projectName } = await import("../init/project-kind.js");
  // Only a template is for a platform.
  const implied = options.product === undefined ? undefined : "template";
  const { kind, choose } = await answers(givenKind ?? implied, options);
  if (options.product !== undefined && kind !== "template") throw notTemplate(kind);
  for (const name of ["ci", "backend"] as const) {
    if (options[name] !== undefined && !isDeployed(kind)) throw notDeployed(kind, name);
  }
  const library = await choose("Which library builds it?", libraries, options.library);
  const product =
    kind === "template"
      ? await choose("For which platform?", projectProducts, options.product)
      : undefined;
  const service = isDeployed(kind)
    ? await choose("Which pipeline deploys it?", pipelineServices, options.ci)
    : "none";
  const backend = isDeployed(kind)
    ? await choose("Where are its states?", stateBackends, options.backend)
    : "local";
  const ci = service === "none" ? undefined : service;
  const { templates, versions } = project;
  const name = projectName(project.folder, Object.keys(versions));
  const files = projectFiles({ kind, library, product, backend, name, ci, templates, versions });
  const next = "The README.md of the project says how to deploy it.";
  const states = isDeployed(kind) ? backend : undefined;
  await project.write(files, { kind, library, product, backend: states, ci }, next);
  if (ci !== undefined) await noteMissing({ [uses]: versions[uses] }, project.folder);
}

async function noteMissing(dependencies: Properties, folder: string): Promise<void> {
  const { missingOnRunner } = await import("../init/package-source.js");
  const missing = missingOnRunner(dependencies, folder);
  if (missing.length === 0) return;
  note(
    `package.json refers to files that a runner does not have, so \`npm ci\` fails there: ${missing.join(", ")}\n` +
      "Put each file into a folder of the project, such as vendor, commit it, and install it from there.",
  );
}

const notDeployed = (kind: ProjectKind, option: string): CommandError =>
  new CommandError(
    `--${option} cannot be used for the kind ${kind}: a template is pushed to a platform, not deployed.`,
    `Leave --${option} out. The guide on coder explains how to push a template.`,
    ExitCode.usage,
  );

const notAdded = (option: string): CommandError =>
  new CommandError(
    `--${option} cannot be used to add a pipeline to a project: it is for a new project.`,
    `Leave --${option} out, or pass a kind and a new folder.`,
    ExitCode.usage,
  );

const notTemplate = (kind: ProjectKind): CommandError =>
  new CommandError(
    `--product cannot be used for the kind ${kind}: only a template is for a platform.`,
    "Leave --product out, or write `trivet init template --product coder`.",
    ExitCode.usage,
  );

/** Returns the choice on the command line, otherwise the answer or, without a terminal, the default. */
type Choose = <Name extends string>(
  question: string,
  choices: Choices<Name>,
  given: Name | undefined,
) => Promise<Name>;

async function answers(
  givenKind: ProjectKind | undefined,
  { json }: Options,
): Promise<{ readonly kind: ProjectKind; readonly choose: Choose }> {
  const { stdin: input, stdout: output } = process;
  if (input.isTTY && output.isTTY && json !== true) {
    const { ask } = await import("../init/project-kind.js");
    const choose: Choose = async (question, choices, given) =>
      given ?? (await ask(question, choices, { input, output }));
    return { kind: await choose("What is the first stack for?", projectKinds, givenKind), choose };
  }
  if (givenKind === undefined) {
    throw new CommandError(
      "The kind of the project is missing. Without a terminal, trivet cannot ask for it.",
      `Write \`trivet init <kind>\`, with one of ${kindNames.join(", ")}. ` +
        "`--library cdktn` selects the other library.",
      ExitCode.usage,
    );
  }
  return {
    kind: givenKind,
    choose: (_, choices, given) => Promise.resolve(given ?? choices[0].name),
  };
}
