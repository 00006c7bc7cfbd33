import type { appOpenIns } from "./declare";

/** Where an app opens. */
export const AppOpenIn = {
  /** In a new tab of the browser. */
  TAB: "tab",
  /** In a window of its own. */
  SLIM_WINDOW: "slim-window",
} as const satisfies Readonly<Record<string, keyof typeof appOpenIns>>;

/** One of the words of {@link AppOpenIn}. */
export type AppOpenIn = keyof typeof appOpenIns;
