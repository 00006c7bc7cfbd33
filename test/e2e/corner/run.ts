import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Scenario, Step } from "../../../examples/corner/scenarios";
import { isRecord, parseTrustedJson } from "../../../src/core/json/plain-json";
import type { TerraformProject } from "../../../src/core/provider-kit/testing";

/** What Terraform did with one step. */
export interface Outcome {
  /** The errors, by the command that reported them. */
  readonly errors: { command: "plan" | "apply" | "second plan"; text: string }[];
  /** The planned change of the resource, as in the JSON of a plan. */
  change?: Record<string, unknown> | undefined;
  unknownOutput?: boolean | undefined;
  /** The resource in the state. */
  values?: unknown;
  output?: unknown;
  type?: unknown;
  /** What the second plan would do to the scenario. */
  later: string[];
}

interface Run {
  readonly scenario: Scenario;
  readonly steps: readonly Step[];
  readonly name: string;
  /** The step that was applied last, whose configuration is valid. */
  valid?: Step | undefined;
  current?: Step | undefined;
  readonly outcomes: Outcome[];
}

/**
 * Runs all scenarios side by side in one folder and one state: first the first steps of all, then the second ones, and so
 * on. A scenario that Terraform refuses goes back to its step before, and the others are planned again.
 *
 * @param prefix what the names of types and functions begin with in place of `corner`
 * @param beforeRound is called before the steps of an index
 * @returns the outcomes of each step, by the name of the scenario
 */
export async function runScenarios(
  project: TerraformProject,
  scenarios: readonly Scenario[],
  { prefix, beforeRound }: { prefix: string; beforeRound?: (index: number) => void },
): Promise<ReadonlyMap<string, readonly Outcome[]>> {
  const runs = scenarios.map((scenario): Run => ({
    scenario,
    steps: scenario.steps ?? [],
    name: nameOf(scenarios.indexOf(scenario)),
    outcomes: [],
  }));
  const together = new Together(project, runs, prefix);
  const rounds = Math.max(...runs.map(({ steps }) => steps.length));
  for (let index = 0; index < rounds; index++) {
    beforeRound?.(index);
    await together.round(index);
  }
  await project.destroy();
  return new Map(runs.map(({ scenario, outcomes }) => [scenario.name, outcomes]));
}

/** The name for `NAME` in the configurations of a scenario. No such name is the start of another. */
export const nameOf = (index: number): string => `scenario_${String(index).padStart(3, "0")}`;

class Together {
  constructor(
    readonly project: TerraformProject,
    readonly runs: readonly Run[],
    readonly prefix: string,
  ) {}

  async round(index: number): Promise<void> {
    const active = this.runs.filter(({ steps }) => index < steps.length);
    // What has had all of its steps is destroyed beside the steps of the others.
    for (const run of this.runs.filter(({ steps }) => index >= steps.length)) {
      run.current = undefined;
      run.valid = undefined;
    }
    for (const run of active) {
      run.current = run.steps[index];
      run.outcomes.push({ errors: [], later: [] });
    }
    await this.#plan("plan");
    const plan = await this.#shown("plan.bin");
    for (const run of active) this.#notePlan(run, plan);
    const applied = await this.project.run("apply", "-json", "-input=false", "plan.bin");
    const failed = this.#blame("apply", applied.output);
    if (applied.code !== 0 && failed.length === 0) throw failureOf(applied);
    const state = await this.#shown();
    for (const run of active) {
      this.#noteState(run, state);
      if (outcomeOf(run).errors.length === 0) run.valid = run.current;
    }
    const second = await this.#plan("second plan");
    for (const run of active) {
      outcomeOf(run).later.push(...second.filter((change) => change.includes(run.name)));
    }
  }

  /** Plans until nobody is to blame any longer. Returns the changes. */
  async #plan(command: "plan" | "second plan"): Promise<readonly string[]> {
    for (;;) {
      for (const run of this.runs) await this.#write(run);
      const planned = await this.project.run("plan", "-json", "-input=false", "-out=plan.bin");
      if (planned.code === 0) return changesIn(planned.output);
      const blamed = this.#blame(command, planned.output);
      if (blamed.length === 0) throw failureOf(planned);
      for (const run of blamed) {
        if (run.current !== run.valid) run.current = run.valid;
        else await this.#abandon(run);
      }
    }
  }

  async #write({ name, current }: Run): Promise<void> {
    const file = join(this.project.folder, `${name}.tf`);
    if (current === undefined) await rm(file, { force: true });
    else await writeFile(file, this.#named(name, current.config));
  }

  #named(name: string, config: string): string {
    return config
      .replaceAll("NAME", name)
      .replaceAll(/\bcorner(?=_)|(?<=\bprovider::)corner\b/g, this.prefix);
  }

  /** Forgets the resources of a scenario whose last valid step is not valid any longer. */
  async #abandon(run: Run): Promise<void> {
    const { output } = await this.project.run("state", "list");
    const own = output.split("\n").filter((address) => address.includes(run.name));
    if (own.length > 0) await this.project.run("state", "rm", ...own);
    run.current = undefined;
    run.valid = undefined;
  }

  /** Notes the errors in the messages of a command, each with the scenario that it is about. */
  #blame(command: Outcome["errors"][number]["command"], output: string): readonly Run[] {
    const errors = errorsIn(output);
    return this.runs.filter(({ name, outcomes }) => {
      const own = errors.filter((error) => JSON.stringify(error).includes(name)).map(textOf);
      outcomes.at(-1)?.errors.push(...own.map((text) => ({ command, text })));
      return own.length > 0;
    });
  }

  async #shown(...files: readonly string[]): Promise<Record<string, unknown>> {
    const { output } = await this.project.run("show", "-json", ...files);
    return recordOf(parseTrustedJson(output));
  }

  #address({ name, current }: Run): string {
    const config = current === undefined ? "" : this.#named(name, current.config);
    const [, kind, type = "", label = ""] =
      [...config.matchAll(/^(resource|data) "([^"]*)" "([^"]*)"/gm)].at(-1) ?? [];
    return `${kind === "data" ? "data." : ""}${type}.${label}`;
  }

  #notePlan(run: Run, plan: Record<string, unknown>): void {
    const outcome = outcomeOf(run);
    const address = this.#address(run);
    outcome.change = recordOf(
      listOf(plan["resource_changes"]).find((each) => each["address"] === address)?.["change"],
    );
    outcome.unknownOutput =
      recordOf(recordOf(plan["output_changes"])[run.name])["after_unknown"] === true;
  }

  #noteState(run: Run, state: Record<string, unknown>): void {
    const outcome = outcomeOf(run);
    const values = recordOf(state["values"]);
    const address = this.#address(run);
    outcome.values = listOf(recordOf(values["root_module"])["resources"]).find(
      (each) => each["address"] === address,
    )?.["values"];
    const { value, type } = recordOf(recordOf(values["outputs"])[run.name]);
    Object.assign(outcome, { output: value, type });
  }
}

/** The changes in the messages of a plan, of resources and of outputs. */
function changesIn(output: string): readonly string[] {
  return messagesIn(output).flatMap(({ type, change, outputs }) => {
    const { resource, action } = recordOf(change);
    if (type === "planned_change" || type === "resource_drift") {
      return [`${type}: ${String(action)} ${String(recordOf(resource)["addr"])}`];
    }
    const changed = Object.entries(recordOf(outputs)).filter(
      ([, each]) => recordOf(each)["action"] !== "noop",
    );
    return type === "outputs" ? changed.map(([name]) => `output ${name}`) : [];
  });
}

const errorsIn = (output: string): readonly Record<string, unknown>[] =>
  messagesIn(output)
    .map(({ diagnostic }) => recordOf(diagnostic))
    .filter(({ severity }) => severity === "error");

/** The error of a command that is about no scenario. */
const failureOf = ({ output, errors }: { output: string; errors: string }): Error =>
  new Error([...errorsIn(output).map(textOf), errors].join("\n"));

const messagesIn = (output: string): readonly Record<string, unknown>[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => recordOf(parseTrustedJson(line)));

function outcomeOf({ outcomes }: Run): Outcome {
  const outcome = outcomes.at(-1);
  if (outcome === undefined) throw new Error("no step has run");
  return outcome;
}

const textOf = ({ summary, detail }: Record<string, unknown>): string =>
  `${String(summary)}: ${String(detail)}`.replaceAll(/\s+/g, " ");

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? { ...value } : {});

const listOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(recordOf) : [];
