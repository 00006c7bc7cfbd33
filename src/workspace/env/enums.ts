import type { mergeStrategies } from "./declare";

/** How the platform merges a variable that several resources set. */
export const MergeStrategy = {
  /** Uses the last value. */
  REPLACE: "replace",
  /** Adds the value after the existing one, separated by `:`. */
  APPEND: "append",
  /** Adds the value before the existing one, separated by `:`. */
  PREPEND: "prepend",
  /** Fails the build. */
  ERROR: "error",
} as const satisfies Readonly<Record<string, keyof typeof mergeStrategies>>;

/** One of the values of {@link MergeStrategy}. */
export type MergeStrategy = keyof typeof mergeStrategies;
