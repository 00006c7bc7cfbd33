import type { Subject } from "./subject/subject";

/** The steps of Terraform, and how many calls each makes for one resource. */
export const calls = { plan: 2, apply: 3, "second plan": 4 } as const;

export type Step = keyof typeof calls;

/** The steps that are measured of a provider; creating may need a server to create on. */
export const stepsOf = ({ applies }: Subject): readonly Step[] =>
  applies ? ["plan", "apply", "second plan"] : ["plan"];
