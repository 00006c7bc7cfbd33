import type { mergeStrategies } from "./declare";

/** How the platform merges a variable that several resources set. */
export const MergeStrategy = {
  /** The last value is used. */
  REPLACE: "replace",
  /** The value is added after the existing one, separated by `:`. */
  APPEND: "append",
  /** The value is added before the existing one, separated by `:`. */
  PREPEND: "prepend",
  /** The build fails. */
  ERROR: "error",
} as const satisfies Readonly<Record<string, keyof typeof mergeStrategies>>;

/** One of the values of {@link MergeStrategy}. */
export type MergeStrategy = keyof typeof mergeStrategies;
