import { join } from "node:path";
import { Argument, Command, Option } from "commander";
import type { ProjectOptions } from "../init/new-project";
import {
  libraries,
  pipelineServices,
  projectKinds,
  type Library,
  type PipelineService,
  type ProjectKind,
  type ProjectProduct,
  projectProducts,
} from "../init/project-kind";
import { exists } from "../invocation/command-environment";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { tell } from "../invocation/failure";
import type { Properties } from "../../core/json/plain-json";
import { withProjectOptions } from "./options";

interface Options extends ProjectOptions {
  readonly library?: Library;
  readonly ci?: PipelineService;
  readonly product?: ProjectProduct;
}

const kindNames = projectKinds.map(({ name }) => name);

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
    .addOption(
      new Option("--library <name>", "the library of the project (default: cdktf)").choices(
        libraries.map(({ name }) => name),
      ),
    )
    .addOption(
      new Option("--product <name>", "the platform of a template (default: trivet)").choices(
        projectProducts,
      ),
    )
    .addOption(
      new Option("--ci <service>", "add a pipeline that tests, plans and deploys").choices(
        pipelineServices,
      ),
    );
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
  trivet init ids watch --ci github
  trivet init --ci gitlab               in a project that exists`,
    )
    .action(init);
}

async function init(
  givenKind: ProjectKind | undefined,
  folder: string,
  options: Options,
): Promise<void> {
  const { projectFiles } = await import("../init/project-files.js");
  const { projectName } = await import("../init/project-name.js");
  const { NewProject } = await import("../init/new-project.js");

  const uses = "@trivet/constructs";
  const project = new NewProject(folder, { folder: "init", uses }, options);
  const { templates } = project;
  if (options.ci !== undefined) {
    const { isDeployed, pipelineFiles } = await import("../init/pipeline-files.js");
    if (givenKind !== undefined && !isDeployed(givenKind)) throw notDeployed(givenKind);
    if (givenKind === undefined && (await exists(join(project.folder, "cdktf.json")))) {
      const { dependenciesOf } = await import("../init/runner-dependencies.js");
      const dependencies = dependenciesOf(project.folder, uses);
      const added = new Map(pipelineFiles(options.ci, templates, undefined));
      added.delete("README.md");
      await project.write(added, { ci: options.ci }, "The pipeline's file says what to set up.");
      await tellOfMissing(dependencies, project.folder);
      return;
    }
  }
  const { kind, library } = await answers(givenKind, options);
  const { product } = options;
  if (product !== undefined && kind !== "template") throw notTemplate(kind);
  const { versions } = project;
  const name = projectName(project.folder, Object.keys(versions));
  const { ci } = options;
  const files = projectFiles({ kind, library, product, name, ci, templates, versions });
  const next = "The README.md of the project says how to deploy it.";
  await project.write(files, { kind, library, ...(ci !== undefined && { ci }) }, next);
  if (ci !== undefined) await tellOfMissing({ [uses]: versions[uses] }, project.folder);
}

async function tellOfMissing(dependencies: Properties, folder: string): Promise<void> {
  const { missingOnRunner } = await import("../init/runner-dependencies.js");
  const missing = missingOnRunner(dependencies, folder);
  if (missing.length === 0) return;
  tell(
    `package.json refers to what a runner does not have, so \`npm ci\` fails there: ${missing.join(", ")}\n` +
      "Put the file into a folder of the project, such as vendor, commit it, and install it from there.",
  );
}

const notDeployed = (kind: ProjectKind): CommandError =>
  new CommandError(
    `--ci cannot be used for the kind ${kind}: a template is pushed to a platform, not deployed.`,
    "Leave --ci out. The guide on coder says how to push a template.",
    ExitCode.usage,
  );

const notTemplate = (kind: ProjectKind): CommandError =>
  new CommandError(
    `--product cannot be used for the kind ${kind}: only a template is for a platform.`,
    "Leave --product out, or write `trivet init template --product coder`.",
    ExitCode.usage,
  );

async function answers(
  kind: ProjectKind | undefined,
  { library, json }: Options,
): Promise<{ readonly kind: ProjectKind; readonly library: Library }> {
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY || json === true) {
    if (kind !== undefined) return { kind, library: library ?? libraries[0].name };
    throw new CommandError(
      "The kind of the project is missing, and there is no terminal to ask on.",
      `Write \`trivet init <kind>\`, with one of ${kindNames.join(", ")}. ` +
        "`--library cdktn` selects the other library.",
      ExitCode.usage,
    );
  }
  const { ask } = await import("../init/ask.js");
  const terminal = { input, output };
  return {
    kind: kind ?? (await ask("What is the first stack for?", projectKinds, terminal)),
    library: library ?? (await ask("Which library builds it?", libraries, terminal)),
  };
}
