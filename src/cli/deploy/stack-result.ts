import type { Changes, Rename } from "../../planner/changes/changes";
import type { Diagnostic } from "../../planner/changes/diagnostic";
import type { Output } from "../../planner/changes/plan-document";
import type { PassedOptions } from "../terraform/with-terraform";

/** The options of `trivet plan`, `deploy`, `destroy` and `watch`. */
export interface StackOptions extends PassedOptions {
  readonly dir?: string;
  readonly autoApprove?: true;
  readonly ignoreMissingStackDependencies?: true;
  readonly refuse?: readonly string[];
  readonly json?: true;
  readonly markdown?: true;
  readonly stackParallelism: number;
  /** The folder in which `trivet plan` saves the plans. */
  readonly out?: string;
  /** The folder with the plans that `trivet deploy` applies. */
  readonly plan?: string;
  /** The hash of the tree from which they must have been made. */
  readonly tree?: string;
}

export interface StackRequest {
  readonly verb: Verb;
  readonly stacks: readonly string[];
  /** Options of Terraform, after `--`. */
  readonly rest: readonly string[];
  readonly options: StackOptions;
}

/** The command for the stacks. */
export type Verb = "plan" | "deploy" | "destroy";

/** The outcome of a command for a stack. */
export type Outcome =
  /** The changes were only shown. */
  | "planned"
  | "unchanged"
  | "deployed"
  | "destroyed"
  | "failed"
  /** `--refuse` does not allow a change. */
  | "refused"
  /** The changes were not approved. */
  | "declined"
  | "interrupted"
  /** Another stack failed, or the command was interrupted before. */
  | "not run";

/** The result of a command for a stack. Contains no secrets. */
export interface StackResult {
  readonly name: string;
  readonly outcome: Outcome;
  /** The stack that prevented the run. */
  readonly because?: string;
  readonly changes?: Changes;
  /** Set if outputs change that other stacks use: the plans of these stacks are then out of date. */
  readonly changesSharedOutputs?: true;
  /** The addresses of the changes that `--refuse` does not allow. */
  readonly refused?: readonly string[];
  /** The resources that are destroyed and created, although only their address has changed. */
  readonly renames?: readonly Rename[];
  /** The known outputs, by name. */
  readonly outputs?: Readonly<Record<string, ShownOutput>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** An output without its value if it is sensitive. */
export type ShownOutput =
  { readonly sensitive: true } | { readonly sensitive: false; readonly value: unknown };

/** Hides the values of sensitive outputs. Leaves out outputs that have no value yet. */
export function shownOutputs(outputs: readonly Output[]): Readonly<Record<string, ShownOutput>> {
  return Object.fromEntries(
    outputs
      .filter(({ isSensitive, value }) => isSensitive || value !== undefined)
      .map(({ name, isSensitive, value }) => [
        name,
        isSensitive ? { sensitive: true } : { sensitive: false, value },
      ]),
  );
}

/** Checks whether the stacks that need this one can be run. */
export const isDone = ({ outcome }: StackResult): boolean =>
  ["planned", "unchanged", "deployed", "destroyed"].includes(outcome);
