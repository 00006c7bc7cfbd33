import type { appShares } from "./declare";

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
