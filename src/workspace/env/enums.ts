import type { mergeStrategies } from "./declare";

/** What becomes of a variable that several resources set. */
export const MergeStrategy = {
  /** The last one wins. */
  REPLACE: "replace",
  /** The value is added behind the existing one, after a `:`. */
  APPEND: "append",
  /** The value is added before the existing one, before a `:`. */
  PREPEND: "prepend",
  /** The build fails. */
  ERROR: "error",
} as const satisfies Readonly<Record<string, keyof typeof mergeStrategies>>;

/** One of the words of {@link MergeStrategy}. */
export type MergeStrategy = keyof typeof mergeStrategies;
