import { createInterface } from "node:readline/promises";
import { writeText } from "../../core/redaction/output";
import { Interruption } from "../exec/interruption";
import { CommandError, ExitCode, printJson, note } from "../invocation/failure";
import { withProjectProviders } from "../project-providers/with-project-providers";
import { type Project, readProject } from "../synthesis/project";
import { synthesize } from "../synthesis/synthesize";
import type { Terraform } from "../terraform/terraform";
import {
  type TerraformOptions,
  terraformOptions,
  withTerraform,
} from "../terraform/with-terraform";
import { repeatOnChange } from "../watch/source-watcher";
import { PlanFolder } from "./plan-folder";
import { planMarkdown } from "./plan-markdown";
import { expectedOrigin, originHere } from "./plan-origin";
import { parseRefusals } from "./refusal";
import { runStacks } from "./run-stacks";
import { isDone, type StackRequest, type StackResult, type Verb } from "./stack-result";

/** Runs `trivet plan`, `deploy` or `destroy`, and sets the exit code. */
export async function runStackCommand(request: StackRequest): Promise<void> {
  const { verb, options } = request;
  const isJson = options.json === true;
  const project = await readProject(process.cwd());
  if (options.autoApprove !== true) refuseUnapproved(verb);
  const interruption = new Interruption();
  try {
    const results = await withTerraform(options.dir, interruption, (terraform) =>
      runChosenStacks(project, request, terraform, interruption),
    );
    if (isJson) printJson({ stacks: results });
    if (options.markdown === true) writeText(process.stdout, planMarkdown(results));
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
 * Synthesizes a project's stacks or takes the saved plans, and runs the chosen stacks.
 *
 * @throws CommandError if there is nothing to run
 */
async function runChosenStacks(
  project: Project,
  request: StackRequest,
  terraform: Terraform,
  interruption: Interruption,
): Promise<readonly StackResult[]> {
  const { verb, options } = request;
  const refusals = parseRefusals(options.refuse ?? []);
  const passed = terraformOptions(options, request.rest, project.folder);
  const { plan, out, tree } = options;
  if (plan !== undefined) refusePlanOptions(passed);
  else if (tree !== undefined) throw treeWithoutPlan();
  const { folder } = project;
  const saved =
    plan === undefined
      ? undefined
      : new PlanFolder(plan, project, await expectedOrigin(folder, terraform, tree));
  const saving =
    out === undefined
      ? undefined
      : new PlanFolder(out, project, await originHere(folder, terraform));
  const stacks = await (saved === undefined
    ? synthesize(project, terraform.env, interruption)
    : saved.restore());
  if (interruption.exitCode !== undefined) return [];
  if (saved !== undefined && stacks.length === 0) {
    note("the saved plans change nothing");
    return [];
  }
  return await withProjectProviders(project, terraform.env, (env) =>
    runStacks(stacks, {
      request,
      refusals,
      approve: async (stack) =>
        options.autoApprove === true || (await askApproval(stack, verb, interruption.aborted)),
      passed,
      out: saving,
      saved,
      terraform: terraform.withEnvironment(env),
      interruption,
    }),
  );
}

const treeWithoutPlan = (): CommandError =>
  new CommandError(
    "--tree is the code of saved plans, but --plan is missing.",
    "Pass the folder of the plans with --plan, or leave --tree out.",
    ExitCode.usage,
  );

/** @throws CommandError if an option only affects how plans are made */
function refusePlanOptions({ plan, apply }: TerraformOptions): void {
  const refused = plan.find((option) => !apply.includes(option));
  if (refused === undefined) return;
  throw new CommandError(
    `${refused} cannot be used with --plan: it has an effect only when a plan is made.`,
    "Leave it out, or make a new plan with it.",
    ExitCode.usage,
  );
}

/**
 * Runs `trivet watch`: deploys, and again after each change of the sources, until it is interrupted.
 *
 * @throws CommandError if it cannot begin; later failures are printed
 */
export async function watch(request: StackRequest): Promise<void> {
  const { options } = request;
  if (options.autoApprove !== true) refuseUnapproved(request.verb);
  const project = await readProject(process.cwd());
  const interruption = new Interruption();
  try {
    await withTerraform(options.dir, interruption, (terraform) =>
      repeatOnChange(project, interruption, async () => {
        const current = await readProject(project.folder);
        await runChosenStacks(current, request, terraform, interruption);
      }),
    );
    process.exitCode = interruption.exitCode ?? 0;
  } finally {
    interruption.release();
  }
}

const hasTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** @throws CommandError if the changes would have to be approved, but there is no terminal */
function refuseUnapproved(verb: Verb): void {
  if (verb === "plan" || hasTerminal()) return;
  throw new CommandError(
    "The changes cannot be approved: standard input or standard error is not a terminal.",
    "Add --auto-approve to make them without a question, or use `trivet plan`, which only shows them.",
    ExitCode.usage,
  );
}

/**
 * Asks on the terminal. Only "yes" approves.
 *
 * @param aborted ends the question, which then counts as not approved
 */
async function askApproval(stack: string, verb: Verb, aborted: AbortSignal): Promise<boolean> {
  // Without raw mode, Ctrl-C remains a signal.
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: false,
  });
  const question =
    verb === "destroy"
      ? `Destroy all resources of ${stack}? Only "yes" is accepted: `
      : `Make these changes in ${stack}? Only "yes" is accepted: `;
  const ended = new Promise<string>((resolve) => {
    lines.once("close", () => {
      resolve("");
    });
  });
  try {
    const answer = lines.question(question, { signal: aborted });
    return (await Promise.race([answer, ended])).trim() === "yes";
  } catch (failure) {
    if (aborted.aborted) return false;
    throw failure;
  } finally {
    lines.close();
  }
}
