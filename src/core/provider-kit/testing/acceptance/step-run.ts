import { rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../../failure/failure";
import { Redactor } from "../../../redaction/redactor";
import { Compiled } from "../../server/compiled";
import {
  planFile,
  TerraformProject,
  type TerraformProjectOptions,
} from "../terraform/terraform-project";
import {
  type TerraformDiagnostic,
  TerraformFailure,
  type TerraformReport,
  type TerraformValues,
} from "../terraform/terraform-report";
import {
  AcceptanceFailure,
  changesOf,
  checkActions,
  checkError,
  checkIsChanged,
  expectNone,
} from "./report-check";
import {
  type AcceptanceState,
  type AcceptanceStep,
  type ApplyStep,
  canonical,
  type Configuration,
  differingNames,
  type ImportStep,
  mismatches,
  type PlanStep,
  type RefreshStep,
  shown,
} from "./step";

class StepRun {
  readonly #project: TerraformProject;
  readonly #onSecret: (secret: string) => void;
  /** The configuration of the last successful plan, with which resources can be destroyed. */
  #valid: Configuration | undefined;
  #written: Configuration | undefined;
  /** True if a command may have created resources. */
  #mayHaveResources = false;

  /** @param onSecret receives the sensitive values that were read */
  constructor(project: TerraformProject, onSecret: (secret: string) => void) {
    this.#project = project;
    this.#onSecret = onSecret;
  }

  /** @throws Error that describes the problem */
  async run(step: AcceptanceStep): Promise<void> {
    await step.before?.();
    if ("variables" in step && step.variables !== undefined) {
      await this.#project.setVariables(step.variables);
    }
    if ("config" in step && step.config !== undefined) await this.#write(step.config);
    if (this.#written === undefined) throw new Error("the first step needs a `config`");
    const { expectError } = step;
    if (expectError === undefined) {
      await this.#perform(step);
      return;
    }
    try {
      await this.#perform(step);
    } catch (error) {
      if (!(error instanceof TerraformFailure)) throw error;
      checkError(error, expectError);
      return;
    }
    throw new Error(`it succeeded instead of failing with ${shown(expectError)}`);
  }

  async destroy(): Promise<void> {
    if (!this.#mayHaveResources) return;
    if (this.#valid !== undefined) await this.#write(this.#valid);
    else if (Object.keys((await this.#values()).resources).length === 0) return;
    await this.#project.destroy();
    const { resources } = await this.#project.values();
    expectNone("the state is not empty after the destruction", Object.keys(resources));
    this.#mayHaveResources = false;
  }

  async #write(config: Configuration): Promise<void> {
    this.#written = config;
    await this.#project.write(config);
  }

  async #perform(step: AcceptanceStep): Promise<void> {
    if ("import" in step) await this.#import(step);
    else if ("destroy" in step) await this.#destroyStep();
    else if ("refresh" in step) await this.#refresh(step);
    else if (step.planOnly === true) await this.#plan(step);
    else await this.#apply(step);
  }

  async #apply(step: ApplyStep): Promise<void> {
    const { actions, checkPlan } = step;
    const options = optionsOf(step);
    this.#mayHaveResources = true;
    let warnings: readonly TerraformDiagnostic[];
    if (checkPlan === undefined && actions === undefined) {
      const report = await this.#project.report("apply", "-auto-approve", ...options);
      warnings = report.diagnostics;
    } else {
      warnings = (await this.#checkedPlan(step, options)).diagnostics;
      await this.#project.applyPlan();
    }
    this.#valid = this.#written;
    await this.#checkStored(step, warnings);
  }

  async #plan(step: PlanStep): Promise<void> {
    const { actions, checkPlan, expectNonEmptyPlan } = step;
    const report = await this.#checkedPlan(step, optionsOf(step));
    if (expectNonEmptyPlan === true) checkIsChanged(report);
    else if (actions === undefined && checkPlan === undefined) {
      expectNone("the plan is not empty", changesOf(report));
    }
  }

  async #refresh(step: RefreshStep): Promise<void> {
    const report = await this.#project.report("apply", "-refresh-only", "-auto-approve");
    if (step.actions !== undefined) checkActions(step.actions, report.actions);
    await this.#checkStored(step, report.diagnostics);
  }

  async #destroyStep(): Promise<void> {
    this.#mayHaveResources = true;
    await this.destroy();
  }

  async #checkedPlan(
    { actions, checkPlan }: ApplyStep | PlanStep,
    options: readonly string[],
  ): Promise<TerraformReport> {
    const report = await this.#project.report("plan", `-out=${planFile}`, ...options);
    if (actions !== undefined) checkActions(actions, report.actions);
    const warnings = report.diagnostics;
    if (checkPlan === undefined) return report;
    await checkPlan({ changes: await this.#project.plannedChanges(), warnings });
    return report;
  }

  async #checkStored(
    step: ApplyStep | RefreshStep,
    warnings: readonly TerraformDiagnostic[],
  ): Promise<void> {
    const { state = {}, outputs = {}, check, expectNonEmptyPlan, allowDrift } = step;
    const isRead = [state, outputs].some((each) => Object.keys(each).length > 0);
    if (isRead || check !== undefined) {
      const values = await this.#values();
      expectNone("the state is not as expected", [
        ...Object.entries(state).flatMap(([address, expected]) =>
          mismatches(expected, values.resources[address], address),
        ),
        ...Object.entries(outputs).flatMap(([name, expected]) =>
          mismatches(expected, values.outputs[name], `output ${name}`),
        ),
      ]);
      await check?.(stateOf(values, warnings));
    }
    const second = await this.#project.report("plan");
    if (expectNonEmptyPlan === true) checkIsChanged(second);
    else expectNone("the second plan is not empty", changesOf(second));
    if (allowDrift === true || expectNonEmptyPlan === true) return;
    expectNone("what is read after the step differs from what was stored", second.drifted);
  }

  async #import(step: ImportStep): Promise<void> {
    const { import: address, ignore = [] } = step;
    const stored = (await this.#values()).resources[address];
    if (stored === undefined) throw new Error(`no earlier step has created ${address}`);
    const { id = stored["id"] } = step;
    const importId: unknown = isFunction(id) ? id(stored) : id;
    if (typeof importId !== "string") {
      throw new Error(`${address} has no attribute "id" that is a string: set the step's \`id\``);
    }
    const file = join(this.#project.folder, "import.tfstate");
    try {
      await this.#project.import(address, importId, `-state=${file}`);
      const imported = (await this.#values(file)).resources[address] ?? {};
      const names = differingNames(stored, imported).filter((name) => !ignore.includes(name));
      expectNone(
        `the import of ${address} by ${shown(importId)} differs from what was created`,
        names.map((name) => `${name}: ${shown(imported[name])} instead of ${shown(stored[name])}`),
      );
    } finally {
      for (const left of [file, `${file}.backup`]) await rm(left, { force: true });
    }
  }

  async #values(file?: string): Promise<TerraformValues> {
    const values = await this.#project.values(file);
    values.secrets.forEach(this.#onSecret);
    return values;
  }
}

function stateOf(
  { resources, outputs }: TerraformValues,
  warnings: readonly TerraformDiagnostic[],
): AcceptanceState {
  return {
    resources,
    outputs,
    warnings,
    resource: (declaration, address) => {
      const values = resources[address];
      if (values === undefined) throw new Error(`${address} is not in the state`);
      const json = Buffer.from(canonical(values));
      const decoded = new Compiled(declaration).decode({ json, msgpack: new Uint8Array() });
      // Decoding has checked the values against the declaration, from which the type is inferred.
      return decoded as never;
    },
  };
}

const isFunction = (id: unknown): id is (values: Readonly<Record<string, unknown>>) => string =>
  typeof id === "function";

const optionsOf = ({ replace = [], target = [] }: ApplyStep | PlanStep): readonly string[] => [
  ...replace.map((address) => `-replace=${address}`),
  ...target.map((address) => `-target=${address}`),
];

/** An acceptance test. The options of {@link TerraformProject.open} choose the provider. */
export type AcceptanceTest = TerraformProjectOptions & {
  /** The steps, in order, in one state. The first one has a `config`. */
  readonly steps: readonly AcceptanceStep[];
  /** Runs after the destruction at the end. It throws if anything is left in the back end. */
  readonly checkDestroyed?: (() => void | Promise<void>) | undefined;
  /** Strings to redact in messages, in addition to sensitive values of the state. @default none */
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
