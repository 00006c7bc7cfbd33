import { parseRefusals, type Refusal } from "./refusal";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { printJson } from "../invocation/failure";
import { askApproval, refuseUnapproved } from "./approval";
import { chooseStacks, predecessors } from "../synthesis/choose-stacks";
import { Interruption } from "../exec/interruption";
import { type Annotation, annotationText, type Stack } from "../synthesis/manifest";
import { withProjectProviders } from "../project-providers/with-project-providers";
import { readProject, type Project } from "../synthesis/project";
import { planMarkdown } from "./plan-markdown";
import { Report } from "./report";
import { withTerraform } from "../terraform/with-terraform";
import { isDone, type StackResult, type Verb } from "./stack-result";
import { Screen } from "./screen";
import { runSideBySide } from "./side-by-side";
import { readyStack, runStack } from "./stack-run";
import { synthesize } from "../synthesis/synthesize";
import { requiredProviders } from "../stack/required-providers";
import type { Terraform } from "../terraform/terraform";
import { type PassedOptions, terraformOptions } from "../terraform/terraform-options";

/** The options of `trivet plan`, `deploy`, `destroy` and `watch`. */
export interface StackOptions extends PassedOptions {
  readonly dir?: string;
  readonly autoApprove?: true;
  readonly ignoreMissingStackDependencies?: true;
  readonly refuse?: readonly string[];
  readonly json?: true;
  readonly markdown?: true;
  readonly stackParallelism: number;
}

export interface StackRequest {
  readonly verb: Verb;
  readonly stacks: readonly string[];
  /** Options of Terraform, after `--`. */
  readonly rest: readonly string[];
  readonly options: StackOptions;
}

/** Runs `trivet plan`, `deploy` or `destroy`, and sets the exit code. */
export async function runStackCommand(request: StackRequest): Promise<void> {
  const { verb, options } = request;
  const isJson = options.json === true;
  if (options.autoApprove !== true) refuseUnapproved(verb);
  const project = await readProject(process.cwd());
  const interruption = new Interruption();
  try {
    const results = await withTerraform(options.dir, interruption, (terraform) =>
      runChosenStacks(project, request, terraform, interruption),
    );
    if (isJson) printJson({ stacks: results });
    if (options.markdown === true) process.stdout.write(planMarkdown(results));
    process.exitCode = interruption.exitCode ?? exitCodeOf(results);
  } finally {
    interruption.release();
  }
}

function exitCodeOf(results: readonly StackResult[]): number {
  if (results.every(isDone)) return ExitCode.ok;
  const isRefused = results.some(({ outcome }) => outcome === "refused");
  return isRefused && results.every(({ outcome }) => outcome !== "failed")
    ? ExitCode.refused
    : ExitCode.failed;
}

/**
 * Synthesizes a project's stacks, and runs the chosen ones.
 *
 * @throws CommandError if there is nothing to run
 */
export async function runChosenStacks(
  project: Project,
  request: StackRequest,
  terraform: Terraform,
  interruption: Interruption,
): Promise<readonly StackResult[]> {
  const { options } = request;
  const refusals = parseRefusals(options.refuse ?? []);
  const passed = terraformOptions(options, request.rest, project.folder);
  const stacks = await synthesize(project, terraform.env, interruption);
  if (interruption.exitCode !== undefined) return [];
  return await withProjectProviders(project, terraform.env, (env) =>
    runStacks(stacks, {
      request,
      refusals,
      passed,
      terraform: terraform.withEnvironment(env),
      interruption,
    }),
  );
}

interface StacksRun {
  readonly request: StackRequest;
  readonly refusals: readonly Refusal[];
  readonly passed: ReturnType<typeof terraformOptions>;
  readonly terraform: Terraform;
  readonly interruption: Interruption;
}

async function runStacks(
  stacks: readonly Stack[],
  { request, refusals, passed, terraform, interruption }: StacksRun,
): Promise<readonly StackResult[]> {
  const { verb, options } = request;
  const isReversed = verb === "destroy";
  const chosen = chooseStacks(stacks, {
    patterns: request.stacks,
    isReversed,
    isComplete: verb !== "plan" && options.ignoreMissingStackDependencies !== true,
  });
  const annotations = chosen.flatMap((stack) => stack.annotations);
  for (const annotation of annotations) console.error(annotationText(annotation));
  if (verb !== "destroy") refuseErrors(annotations);
  await installRequired(chosen, terraform);
  const ready = await Promise.all(chosen.map((stack) => readyStack(stack, terraform)));
  const before = predecessors(stacks, isReversed);
  const reportOf = reports(chosen, options);
  const unfinished = new Set<string>();
  return await runSideBySide(
    ready,
    options.stackParallelism,
    (first, second) => before(second.stack).includes(first.stack.name),
    async (each) => {
      const { stack } = each;
      const report = reportOf(stack);
      const because = before(stack).find((name) => unfinished.has(name));
      const isSkipped = because !== undefined || interruption.aborted.aborted;
      const result = isSkipped
        ? skipped(stack, because)
        : await runStack(each, {
            verb,
            terraform,
            interruption,
            report,
            approve: async (name) =>
              options.autoApprove === true || (await askApproval(name, verb, interruption.aborted)),
            refusals,
            planOptions: passed.plan,
            applyOptions: passed.apply,
          });
      if (!isDone(result)) unfinished.add(stack.name);
      report.end(result);
      return result;
    },
  );
}

/** Returns the report of each stack. If there are several, their lines begin with the name of the stack. */
function reports(
  stacks: readonly Stack[],
  { json, markdown }: StackOptions,
): (stack: Stack) => Report {
  // Standard output is for the result.
  const stream = json === true || markdown === true ? process.stderr : process.stdout;
  const screen = new Screen();
  const width = Math.max(...stacks.map(({ name }) => name.length));
  return ({ name }) =>
    new Report(screen, stream, stacks.length === 1 ? "  " : `${name.padEnd(width)} | `);
}

/** Installs the providers that the stacks require. */
async function installRequired(stacks: readonly Stack[], terraform: Terraform): Promise<void> {
  const required = await Promise.all(stacks.map(({ folder }) => requiredProviders(folder)));
  const sources = new Set(required.flat().map(({ source }) => source));
  await terraform.install((source) => sources.has(source));
}

const skipped = ({ name }: Stack, because: string | undefined): StackResult => ({
  name,
  outcome: "not run",
  diagnostics: [],
  ...(because !== undefined && { because }),
});

/** @throws CommandError if a construct has reported an error */
function refuseErrors(annotations: readonly Annotation[]): void {
  const errors = annotations.filter(({ level }) => level === "error");
  if (errors.length === 0) return;
  throw new CommandError(
    `Constructs report ${errors.length === 1 ? "an error" : `${errors.length} errors`}: ` +
      errors.map(({ constructPath, message }) => `${constructPath}: ${message}`).join("; "),
    "Correct the stack. Nothing was changed.",
  );
}
