import type { AppFailure } from "../app-process/app-failure";
import type { StackCheck } from "../check/check-stack";
import type { Stack } from "../synthesis/manifest";

/** A stack, with what was found in it. */
export interface CheckedView extends StackCheck {
  readonly stack: Stack;
}

/** What is known about a project. */
export interface CheckedProject {
  /** As of the last run of the app that did not fail. */
  readonly stacks: readonly CheckedView[];
  /** Why the app has failed since. */
  readonly failure?: AppFailure;
}
