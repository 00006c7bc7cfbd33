import { isDeepStrictEqual } from "node:util";
import {
  type Changes,
  changesOf,
  isCrossStackOutput,
  type Rename,
  renamesIn,
} from "../../planner/changes/changes";
import { withPlace } from "../../planner/changes/construct-place";
import { type Properties, propertiesOf } from "../../core/json/plain-json";
import { packageRoot } from "../../core/process/package-root";
import { secretParts } from "../../planner/changes/masked-value";
import type {
  Output,
  PlanDocument,
  PlannedChange,
  PlannedResource,
} from "../../planner/changes/plan-document";
import { typeIn } from "../../planner/offline-plan/address";
import { builtProviders } from "../../planner/offline-plan/catalog";
import { readConfiguration } from "../../planner/offline-plan/configuration";
import type { MovableResource } from "../../planner/offline-plan/plan-json";
import { isSameNoun, movableTo } from "../../planner/offline-plan/orphans";
import { providerNames } from "../../planner/offline-plan/planner";
import { builtPackages } from "../package/built-package";
import { withTemporaryFile } from "../exec/temporary-folder";
import type { Diagnostic } from "../../planner/changes/diagnostic";
import type { Interruption } from "../exec/interruption";
import { withAcknowledgement } from "../terraform/terraform-message";
import type { Stack } from "../synthesis/manifest";
import { StackSecrets } from "../../planner/offline-plan/stack-secrets";
import type { ReadyStack } from "./ready-stack";
import { knownSecrets } from "../stack/variables";
import { type Refusal, refusalTexts, refusedChanges } from "./refusal";
import type { Report } from "./report";
import { StackCommands } from "./stack-commands";
import type { StackConfiguration } from "../synthesis/stack-content";
import { type Outcome, shownOutputs, type StackResult, type Verb } from "./stack-result";
import type { Terraform } from "../terraform/terraform";

interface StackRunOptions {
  readonly verb: Verb;
  readonly terraform: Terraform;
  readonly interruption: Interruption;
  readonly report: Report;
  /** Asks whether to make the changes that were shown. */
  readonly approve: (stack: string) => Promise<boolean>;
  /** The changes that are not allowed. */
  readonly refusals: readonly Refusal[];
  readonly planOptions: readonly string[];
  /** Where the plan is saved. @default a temporary file */
  readonly planFile: string | undefined;
  /** True if it has been saved there before. */
  readonly isPlanned: boolean;
  readonly applyOptions: readonly string[];
}

/** Plans a stack, shows the changes, and applies the plan if it is to be applied and was approved. */
export async function runStack(ready: ReadyStack, options: StackRunOptions): Promise<StackResult> {
  const run = new StackRun(ready, options);
  const { planFile } = options;
  // Plans contain secrets.
  return planFile === undefined
    ? await withTemporaryFile("plan", "", (file) => run.run(file))
    : await run.run(planFile);
}

class StackRun {
  readonly #stack: Stack;
  readonly #content: Properties;
  readonly #configuration: StackConfiguration;
  readonly #options: StackRunOptions;
  readonly #commands: StackCommands;
  readonly #diagnostics: Diagnostic[] = [];
  #secrets = new StackSecrets();
  #changes: Changes | undefined;
  #changesSharedOutputs = false;
  #refused: readonly string[] = [];
  #renames: readonly Rename[] = [];
  #outputs: readonly Output[] = [];

  constructor({ stack, content, configuration }: ReadyStack, options: StackRunOptions) {
    this.#stack = stack;
    this.#content = content;
    this.#configuration = configuration;
    this.#options = options;
    this.#commands = new StackCommands(options.terraform, stack, configuration, {
      onDiagnostic: this.#receive,
      onProgress: (text) => {
        options.report.progress(text);
      },
    });
  }

  async run(planFile: string): Promise<StackResult> {
    const outcome = await this.#run(planFile);
    const isStopped = this.#options.interruption.exitCode !== undefined && outcome === "failed";
    return {
      name: this.#stack.name,
      outcome: isStopped ? "interrupted" : outcome,
      ...(this.#changes !== undefined && { changes: this.#changes }),
      ...(this.#changesSharedOutputs && { changesSharedOutputs: true }),
      ...(this.#refused.length > 0 && { refused: this.#refused }),
      ...(this.#renames.length > 0 && { renames: this.#renames }),
      ...(outcome !== "failed" && { outputs: shownOutputs(this.#outputs) }),
      diagnostics: this.#diagnostics,
    };
  }

  async #run(planFile: string): Promise<Outcome> {
    const { verb, report, terraform, planOptions, applyOptions, isPlanned } = this.#options;
    report.start(this.#stack.name, isPlanned ? "reading the saved plan" : planning[verb]);
    this.#secrets = await knownSecrets(
      this.#content,
      this.#stack.folder,
      planOptions,
      terraform.env,
    );
    const destroy = verb === "destroy" ? ["-destroy"] : [];
    const planned = await (isPlanned
      ? this.#commands.prepare()
      : this.#commands.plan(planFile, [...destroy, ...planOptions]));
    if (planned === undefined) return "failed";
    const document = await this.#commands.show(planFile);
    if (document === undefined) return "failed";
    addPlanned(this.#secrets, document);
    const decision = await report.alone(() => this.#decide(document, planned.isEmpty));
    if (decision !== "approved") return decision;
    const outputs = await this.#commands.apply(planFile, applyOptions);
    if (outputs === undefined) return "failed";
    this.#outputs = withoutInternal(outputs);
    report.outputs(shownOutputs(this.#outputs));
    return verb === "destroy" ? "destroyed" : "deployed";
  }

  /** Shows the changes, and asks whether to make them. */
  async #decide(document: PlanDocument, isEmpty: boolean): Promise<Outcome | "approved"> {
    const { verb, report, approve, interruption, refusals } = this.#options;
    const changes = changesOf(document, this.#configuration.constructOf);
    this.#changes = changes;
    this.#changesSharedOutputs = document.outputs.some(isChangeOfShared);
    this.#outputs = withoutInternal(document.plannedOutputs);
    report.changes(this.#stack.name, changes, isEmpty);
    if (verb !== "destroy") {
      this.#renames = renamesIn(document, await movableIn(document, this.#content));
    }
    report.renames(this.#renames);
    this.#refused = refusedChanges(changes, refusals).map(({ address }) => address);
    if (this.#refused.length > 0) {
      report.refused(refusalTexts(changes, this.#refused));
      return "refused";
    }
    if (isEmpty || verb === "plan") {
      report.outputs(verb === "deploy" ? shownOutputs(this.#outputs) : {});
      return isEmpty ? "unchanged" : "planned";
    }
    const isApproved = await approve(this.#stack.name);
    if (interruption.exitCode !== undefined) return "failed";
    return isApproved ? "approved" : "declined";
  }

  /** Drops the warnings of the plan that the apply repeats. */
  readonly #receive = (received: Diagnostic): void => {
    const place = this.#configuration.constructOf(received.address ?? "");
    const explained = withPlace(this.#explained(this.#secrets.redacted(received)), place);
    const diagnostic = withAcknowledgement(explained, this.#stack, this.#configuration);
    if (this.#diagnostics.some((known) => isDeepStrictEqual(known, diagnostic))) return;
    this.#diagnostics.push(diagnostic);
    this.#options.report.diagnostic(diagnostic, this.#configuration.constructOf);
  };

  /** Adds which stack must be deployed first if its state is missing. */
  #explained(diagnostic: Diagnostic): Diagnostic {
    const { name, dependencies } = this.#stack;
    if (diagnostic.summary !== "Unable to find remote state" || dependencies.length === 0) {
      return diagnostic;
    }
    const others = dependencies.join(", ");
    const reason = `${name} uses the outputs of ${others}, which must be deployed first.`;
    return { ...diagnostic, detail: `${diagnostic.detail}\n${reason}` };
  }
}

/** Adds the sensitive values of a plan, such as those of the state. */
export function addPlanned(secrets: StackSecrets, { resources, outputs }: PlanDocument): void {
  const add = ({ before, beforeSensitive, after, afterSensitive }: PlannedChange): void => {
    secrets.addPlain(secretParts({ value: before, sensitive: beforeSensitive }));
    secrets.addPlain(secretParts({ value: after, sensitive: afterSensitive }));
  };
  for (const { change } of [...resources, ...outputs]) add(change);
}

/** Finds resources of other providers that the plan destroys, and that our new constructs could take over. */
async function movableIn(
  { resources }: PlanDocument,
  content: Properties,
): Promise<readonly MovableResource[]> {
  const isOnly = ({ change }: PlannedResource, action: string) => String(change.actions) === action;
  const created = new Set(
    resources.filter((each) => isOnly(each, "create")).map(({ address }) => typeIn(address)),
  );
  const gone = resources.flatMap((each) => {
    const { address, source, schemaVersion, change } = each;
    const type = typeIn(address);
    const isCandidate = isOnly(each, "delete") && [...created].some((to) => isSameNoun(to, type));
    if (!isCandidate || source === undefined || schemaVersion === undefined) return [];
    const attributes = propertiesOf(change.before);
    return [{ address, type, source, schemaVersion, attributes, private: new Uint8Array() }];
  });
  // Loading providers takes time.
  if (gone.length === 0) return [];
  const catalog = builtProviders(await builtPackages(packageRoot()));
  const providers = await catalog.start(providerNames(readConfiguration(content)));
  const found: MovableResource[] = [];
  for (const { address, ...stored } of gone) {
    found.push(...(await movableTo(created, providers.values(), address, stored)));
  }
  return found;
}

const isChangeOfShared = ({ name, change }: PlanDocument["outputs"][number]): boolean =>
  isCrossStackOutput(name) && !change.actions.includes("no-op");

const planning = {
  plan: "planning",
  deploy: "planning",
  destroy: "planning to destroy it",
} as const satisfies Record<Verb, string>;

const withoutInternal = (outputs: readonly Output[]): readonly Output[] =>
  outputs.filter(({ name }) => !isCrossStackOutput(name));
