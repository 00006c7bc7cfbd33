import type { monotonics } from "./declare";

/** In which direction a number may change from one build to the next. */
export const Monotonic = {
  /** It never falls. */
  INCREASING: "increasing",
  /** It never rises. */
  DECREASING: "decreasing",
} as const satisfies Readonly<Record<string, keyof typeof monotonics>>;

/** One of the words of {@link Monotonic}. */
export type Monotonic = keyof typeof monotonics;
