import type { Subject } from "./subject/subject";

/** Terraform's steps, with the number of calls that each makes per resource. */
export const calls = { plan: 2, apply: 3, "second plan": 4 } as const;

/** A step of Terraform. */
export type Step = keyof typeof calls;

/** Returns the steps to measure for a provider. Apply may need a server. */
export const stepsOf = ({ applies }: Subject): readonly Step[] =>
  applies ? ["plan", "apply", "second plan"] : ["plan"];
