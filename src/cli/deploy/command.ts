import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { printJson } from "../invocation/failure";
import { askApproval, refuseUnapproved } from "./approval";
import { chooseStacks, predecessors } from "../synthesis/choose-stacks";
import { Interruption } from "../exec/interruption";
import type { Stack } from "../synthesis/manifest";
import { readProject, type Project } from "../synthesis/project";
import { Report } from "./report";
import { runStacks } from "./run-stacks";
import { withTerraform } from "../terraform/with-terraform";
import { isDone, type StackResult, type Verb } from "./stack-result";
import { runStack } from "./stack-run";
import { synthesize } from "../synthesis/synthesize";
import type { Terraform } from "../terraform/terraform";
import { type PassedOptions, terraformOptions } from "../terraform/terraform-options";

/** The options of `trivet plan`, `deploy`, `destroy` and `watch`. */
export interface StackOptions extends PassedOptions {
  readonly dir?: string;
  readonly autoApprove?: true;
  readonly ignoreMissingStackDependencies?: true;
  readonly json?: true;
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
  const interruption = new Interruption(tell);
  try {
    const results = await withTerraform(options.dir, interruption, (terraform) =>
      new StackSession(project, request, terraform, interruption).run(),
    );
    if (isJson) printJson({ stacks: results });
    process.exitCode =
      interruption.exitCode ?? (results.every(isDone) ? ExitCode.ok : ExitCode.failed);
  } finally {
    interruption.release();
  }
}

/** Synthesizes a project's stacks, and runs the chosen ones. */
export class StackSession {
  readonly #project: Project;
  readonly #request: StackRequest;
  readonly #terraform: Terraform;
  readonly #interruption: Interruption;
  readonly #report: Report;

  constructor(
    project: Project,
    request: StackRequest,
    terraform: Terraform,
    interruption: Interruption,
  ) {
    this.#project = project;
    this.#request = request;
    this.#terraform = terraform;
    this.#interruption = interruption;
    // Standard output is for the result.
    this.#report = new Report(request.options.json === true ? process.stderr : process.stdout);
  }

  /** @throws CommandError if there is nothing to run */
  async run(): Promise<readonly StackResult[]> {
    const { verb, options, rest } = this.#request;
    const passed = terraformOptions(options, rest, this.#project.folder);
    const stacks = await synthesize(this.#project, this.#terraform.env, this.#interruption);
    if (this.#interruption.exitCode !== undefined) return [];
    const isReversed = verb === "destroy";
    const chosen = chooseStacks(stacks, {
      patterns: this.#request.stacks,
      isReversed,
      isComplete: verb !== "plan" && options.ignoreMissingStackDependencies !== true,
    });
    this.#remark(chosen);
    const run = (stack: Stack): Promise<StackResult> =>
      runStack(stack, {
        verb,
        terraform: this.#terraform,
        interruption: this.#interruption,
        report: this.#report,
        approve: (name) => this.#approve(name),
        planOptions: passed.plan,
        applyOptions: passed.apply,
      });
    return await runStacks(chosen, predecessors(stacks, isReversed), run, {
      report: this.#report,
      interruption: this.#interruption,
    });
  }

  /** @throws CommandError if a construct has reported an error */
  #remark(stacks: readonly Stack[]): void {
    const annotations = stacks.flatMap((stack) => stack.annotations);
    this.#report.annotations(annotations);
    const errors = annotations.filter(({ level }) => level === "error");
    if (errors.length === 0 || this.#request.verb === "destroy") return;
    throw new CommandError(
      `Constructs report ${errors.length === 1 ? "an error" : `${errors.length} errors`}: ` +
        errors.map(({ constructPath, message }) => `${constructPath}: ${message}`).join("; "),
      "Correct the stack. Nothing was changed.",
    );
  }

  #approve(stack: string): Promise<boolean> {
    const { verb, options } = this.#request;
    if (options.autoApprove === true) return Promise.resolve(true);
    return askApproval(stack, verb, this.#interruption.aborted);
  }
}

const tell = (message: string): void => {
  console.error(`trivet: ${message}`);
};
