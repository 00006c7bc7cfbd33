import type { appOpenIns, appShares } from "./declare";

/** Where an app opens. */
export const AppOpenIn = {
  /** Opens a new browser tab. */
  TAB: "tab",
  /** Opens a separate small window. */
  SLIM_WINDOW: "slim-window",
} as const satisfies Readonly<Record<string, keyof typeof appOpenIns>>;

/** One of the values of {@link AppOpenIn}. */
export type AppOpenIn = keyof typeof appOpenIns;

/** Who may open an app. */
export const AppShare = {
  /** Admits only the workspace's owner. */
  OWNER: "owner",
  /** Admits all logged-in users. */
  AUTHENTICATED: "authenticated",
  /** Admits everyone. */
  PUBLIC: "public",
} as const satisfies Readonly<Record<string, keyof typeof appShares>>;

/** One of the values of {@link AppShare}. */
export type AppShare = keyof typeof appShares;
