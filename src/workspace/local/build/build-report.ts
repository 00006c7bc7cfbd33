import type { Transition } from "../state/build-request";
import type { PlannedChange } from "../terraform/plan-summary";
import type { PlatformView } from "../view/platform-view";

/** The result of importing a template: its content as the platform sees it, without a workspace. */
export interface ImportReport extends PlatformView {
  /** Addresses of resources that exist only while a workspace runs. */
  readonly whileStarted: readonly string[];
  readonly warnings: readonly string[];
}

/** The result of a build. It contains no secrets; those are in the state. */
export interface BuildReport extends PlatformView {
  readonly workspace: string;
  readonly owner: string;
  readonly transition: Transition;
  /** True if a deletion found nothing to delete and did not run Terraform. */
  readonly skipped: boolean;
  readonly changes: readonly PlannedChange[];
  readonly warnings: readonly string[];
  /** Path of Terraform's state file; undefined after a deletion. */
  readonly statePath: string | undefined;
}
