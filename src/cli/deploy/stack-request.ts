import type { PassedOptions } from "../terraform/terraform-options";
import type { Verb } from "./stack-result";

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
