import type { appOpenIns, appShares } from "./declare";

/** Where an app opens. */
export const AppOpenIn = {
  /** In a new browser tab. */
  TAB: "tab",
  /** In a separate small window. */
  SLIM_WINDOW: "slim-window",
} as const satisfies Readonly<Record<string, keyof typeof appOpenIns>>;

/** One of the values of {@link AppOpenIn}. */
export type AppOpenIn = keyof typeof appOpenIns;

/** Who may open an app. */
export const AppShare = {
  /** Only the workspace's owner. */
  OWNER: "owner",
  /** All logged-in users. */
  AUTHENTICATED: "authenticated",
  /** Everyone. */
  PUBLIC: "public",
} as const satisfies Readonly<Record<string, keyof typeof appShares>>;

/** One of the values of {@link AppShare}. */
export type AppShare = keyof typeof appShares;
