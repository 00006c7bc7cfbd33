import { didYouMean } from "../../core/schema";
import { withoutKeys } from "../../planner/offline-plan/address";
import type { Interruption } from "../exec/interruption";
import { noteCodes } from "../explain/code-pages";
import { CommandError, ExitCode, printError, note } from "../invocation/failure";
import { requiredProviders } from "../stack/required-providers";
import { chooseStacks, predecessors } from "../synthesis/choose-stacks";
import { type Annotation, annotationText, type Stack } from "../synthesis/manifest";
import type { Terraform } from "../terraform/terraform";
import type { TerraformOptions } from "../terraform/with-terraform";
import type { PlanFolder } from "./plan-folder";
import { readyStack } from "./ready-stack";
import type { Refusal } from "./refusal";
import { Report, Screen } from "./report";
import { type StackOptions, type StackRequest, isDone, type StackResult } from "./stack-result";
import { runStack } from "./stack-run";

interface StacksRun {
  readonly request: StackRequest;
  readonly refusals: readonly Refusal[];
  /** Asks whether to make the changes that were shown. */
  readonly approve: (stack: string) => Promise<boolean>;
  readonly passed: TerraformOptions;
  /** Where to save the plans. */
  readonly out: PlanFolder | undefined;
  /** The plans to apply; undefined if they are made now. */
  readonly saved: PlanFolder | undefined;
  readonly terraform: Terraform;
  readonly interruption: Interruption;
}

/**
 * Runs the chosen stacks.
 *
 * @throws CommandError if one of them cannot be run, before anything is changed
 */
export async function runStacks(
  stacks: readonly Stack[],
  run: StacksRun,
): Promise<readonly StackResult[]> {
  const { request, terraform, interruption, out, saved } = run;
  const { verb, options } = request;
  const isReversed = verb === "destroy";
  const chosen = chooseStacks(stacks, {
    patterns: saved !== undefined && request.stacks.length === 0 ? ["*"] : request.stacks,
    isReversed,
    isComplete:
      verb !== "plan" && saved === undefined && options.ignoreMissingStackDependencies !== true,
  });
  const annotations = chosen.flatMap((stack) => stack.annotations);
  for (const annotation of annotations) printError(annotationText(annotation));
  noteCodes(annotations);
  if (verb !== "destroy") refuseErrors(annotations);
  await installRequired(chosen, terraform);
  const ready = await Promise.all(chosen.map((stack) => readyStack(stack, terraform)));
  refuseUnknownTargets(
    options.target ?? [],
    ready.flatMap(({ configuration }) => configuration.addresses),
  );
  await out?.begin(chosen);
  const local = ready.filter(({ configuration }) => configuration.stateFile !== undefined);
  if (out !== undefined && local.length > 0) {
    const names = local.map(({ stack }) => stack.name).join(", ");
    note(`the state is a file on this machine, so plans can be applied only here: ${names}`);
  }
  const before = predecessors(stacks, isReversed);
  const reportOf = reports(chosen, options);
  const ended = new Map<string, StackResult>();
  const results = await runSideBySide(
    ready,
    options.stackParallelism,
    (first, second) => before(second.stack).includes(first.stack.name),
    async (each) => {
      const { stack } = each;
      const report = reportOf(stack);
      const earlier = before(stack).flatMap((name) => ended.get(name) ?? []);
      const result =
        notRun(stack, earlier, run) ??
        (await runStack(each, {
          verb,
          terraform,
          interruption,
          report,
          approve: run.approve,
          refusals: run.refusals,
          planOptions: run.passed.plan,
          applyOptions: run.passed.apply,
          planFile: (out ?? saved)?.fileOf(stack),
          isPlanned: saved !== undefined,
        }));
      ended.set(stack.name, result);
      report.end(result);
      return result;
    },
  );
  if (out !== undefined) await finishPlans(out, chosen, results);
  return results;
}

/**
 * Terraform ignores a target that does not exist, so a mistyped one would silently change nothing. Only Terraform knows what is
 * in modules.
 */
function refuseUnknownTargets(targets: readonly string[], addresses: readonly string[]): void {
  for (const target of targets) {
    if (target.startsWith("module.") || addresses.includes(withoutKeys(target))) continue;
    throw new CommandError(
      `The stacks have no resource ${target}${didYouMean(target, addresses) || "."}`,
      `Write the address of one of their resources. If it is only in a state, write -- -target=${target}.`,
      ExitCode.usage,
    );
  }
}

/** Returns the report of each stack. With several stacks, the lines begin with the name of the stack. */
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

/** Returns the result of a stack that cannot be run; undefined if it can. */
function notRun(
  stack: Stack,
  earlier: readonly StackResult[],
  { out, interruption }: StacksRun,
): StackResult | undefined {
  const unfinished = earlier.find((result) => !isDone(result));
  if (unfinished !== undefined || interruption.aborted.aborted) return skipped(stack, unfinished);
  const changing = earlier.find(({ changesSharedOutputs: changes }) => changes === true);
  return out !== undefined && changing !== undefined ? postponed(stack, changing) : undefined;
}

const skipped = ({ name }: Stack, because: StackResult | undefined): StackResult => ({
  name,
  outcome: "not run",
  diagnostics: [],
  ...(because !== undefined && { because: because.name }),
});

/** A plan that is applied later would contain the current outputs. */
const postponed = (stack: Stack, because: StackResult): StackResult => ({
  ...skipped(stack, because),
  diagnostics: [
    {
      severity: "error",
      summary: `${stack.name} cannot be planned yet`,
      detail:
        `It uses outputs of ${because.name} that this plan changes. ` +
        `Save a plan of ${because.name} alone and apply it, then plan ${stack.name}.`,
    },
  ],
});

async function finishPlans(
  out: PlanFolder,
  stacks: readonly Stack[],
  results: readonly StackResult[],
): Promise<void> {
  if (await out.end(stacks, results)) note(`saved the plans in ${out.folder}`);
  else note("no plan was saved, because not every stack was planned");
}

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

/**
 * Runs items, several at the same time, each after its predecessors. If one throws, waits for running items, and starts no
 * others.
 *
 * @param items sorted, so that each comes after its predecessors
 * @param atOnce how many run at the same time
 * @param comesBefore says whether the first item has to come before the second one
 * @returns the results in the order of the items
 * @throws the first error of an item
 */
export async function runSideBySide<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  comesBefore: (first: Item, second: Item) => boolean,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const waiting = new Map(items.entries());
  const running = new Set<Promise<void>>();
  const results = new Map<number, Result>();
  const failures: unknown[] = [];
  const start = (at: number, item: Item): void => {
    waiting.delete(at);
    const ended = run(item)
      .then((result) => {
        results.set(at, result);
      })
      .catch((failure: unknown) => {
        failures.push(failure);
        waiting.clear();
      })
      .finally(() => running.delete(ended));
    running.add(ended);
  };
  const isReady = (at: number, item: Item): boolean =>
    items.slice(0, at).every((other, index) => results.has(index) || !comesBefore(other, item));
  while (waiting.size + running.size > 0) {
    for (const [at, item] of waiting) {
      if (running.size < atOnce && isReady(at, item)) start(at, item);
    }
    await Promise.race(running);
  }
  if (failures.length > 0) throw failures[0];
  return items.flatMap((_, at) => [results.get(at)].filter((result) => result !== undefined));
}
