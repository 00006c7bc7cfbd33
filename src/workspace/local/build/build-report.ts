import type { Transition } from "../state/build-request";
import type { PlannedChange } from "../terraform/plan-summary";
import type { PlatformView } from "../view/platform-view";

/** What a template offers, seen without a workspace. */
export interface ImportReport extends PlatformView {
  /** Addresses of what exists only while a workspace runs. */
  readonly whileStarted: readonly string[];
  readonly warnings: readonly string[];
}

/** What a build did. It holds no secrets; those are in the state. */
export interface BuildReport extends PlatformView {
  readonly workspace: string;
  readonly owner: string;
  readonly transition: Transition;
  /** True when a deletion found nothing to delete, and ran nothing. */
  readonly skipped: boolean;
  readonly changes: readonly PlannedChange[];
  readonly warnings: readonly string[];
  /** Terraform's state file; undefined after a deletion. */
  readonly statePath: string | undefined;
}
