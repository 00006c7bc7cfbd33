import type { PlanMatchers } from "./plan-matchers";

export type { Plan, PlanTarget } from "./plan";
export { planMatchers, type PlanMatchers } from "./plan-matchers";
export { planOf, type PlanOptions } from "./plan-of";

declare global {
  // The expectations of jest and of vitest both extend this, which needs neither of them to be installed.
  // eslint-disable-next-line @typescript-eslint/no-namespace -- that is where they declare it
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- as declared there
    interface Matchers<R, T> extends PlanMatchers<R> {}
  }
}
