import type { appOpenIns, appShares } from "./declare";

/** Where an app opens. */
export const AppOpenIn = {
  /** In a new tab of the browser. */
  TAB: "tab",
  /** In a window of its own. */
  SLIM_WINDOW: "slim-window",
} as const satisfies Readonly<Record<string, keyof typeof appOpenIns>>;

/** One of the words of {@link AppOpenIn}. */
export type AppOpenIn = keyof typeof appOpenIns;

/** Who may open an app. */
export const AppShare = {
  /** Only the workspace's owner. */
  OWNER: "owner",
  /** All users who are logged in. */
  AUTHENTICATED: "authenticated",
  /** Anybody. */
  PUBLIC: "public",
} as const satisfies Readonly<Record<string, keyof typeof appShares>>;

/** One of the words of {@link AppShare}. */
export type AppShare = keyof typeof appShares;
