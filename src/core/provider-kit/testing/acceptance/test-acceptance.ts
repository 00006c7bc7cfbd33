import { messageOf } from "../../../failure/failure";
import { Redactor } from "../../../redaction/redactor";
import { TerraformProject, type TerraformProjectOptions } from "../terraform/terraform-project";
import { AcceptanceFailure } from "./report-check";
import type { AcceptanceStep } from "./step";
import { StepRun } from "./step-run";

/** An acceptance test. The options of {@link TerraformProject.open} choose the provider. */
export type AcceptanceTest = TerraformProjectOptions & {
  /** The steps, in order, in one state. The first one has a `config`. */
  readonly steps: readonly AcceptanceStep[];
  /** Runs after the destruction at the end. It throws if the back end still has something. */
  readonly checkDestroyed?: (() => void | Promise<void>) | undefined;
  /** Texts that no message may contain. Sensitive values of the state are among them. @default none */
  readonly secrets?: readonly string[] | undefined;
};

/**
 * Runs steps with the real Terraform and one process of the provider, and destroys what they created.
 *
 * After each step that stores a state, a second plan must be empty, and a read must return the stored values.
 * Modules and providers that the test does not serve need `terraform init`, and cannot be used.
 *
 * @throws AcceptanceFailure for the first step that fails, with Terraform's report. Even then, everything
 * that the steps have created is destroyed, and no process or folder is left.
 */
export async function testAcceptance(test: AcceptanceTest): Promise<void> {
  const { steps, checkDestroyed, secrets = [] } = test;
  const redactor = new Redactor();
  secrets.forEach((secret) => {
    redactor.add(secret);
  });
  const project = await TerraformProject.open(test);
  const run = new StepRun(project, (secret) => {
    redactor.add(secret);
  });
  const failures: AcceptanceFailure[] = [];
  const attempt = async (name: string, action: () => void | Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (cause) {
      failures.push(new AcceptanceFailure(name, redactor.redact(messageOf(cause))));
    }
  };
  try {
    for (const [index, step] of steps.entries()) {
      const name = step.name === undefined ? "" : ` (${step.name})`;
      await attempt(`step ${index + 1} of ${steps.length}${name}`, () => run.run(step));
      if (failures.length > 0) break;
    }
    const hasFailed = failures.length > 0;
    await attempt("the destruction at the end", () => run.destroy());
    if (!hasFailed && failures.length === 0 && checkDestroyed !== undefined) {
      await attempt("the check of the back end at the end", checkDestroyed);
    }
  } finally {
    await project.close();
  }
  const [first, ...more] = failures;
  if (first === undefined) return;
  if (more.length === 0) throw first;
  const all = [first.message, ...more.map(({ message }) => message)].join("\n\n");
  throw new AcceptanceFailure(first.step, all.slice(first.step.length + 2));
}
