import type { apiKeyScopes } from "./declare";

/** Which routes of the platform an agent's token may call. */
export const ApiKeyScope = {
  /** Full access. */
  ALL: "all",
  /** All but `/external-auth`, `/gitsshkey` and `/gitauth`. */
  NO_USER_DATA: "no_user_data",
} as const satisfies Readonly<Record<string, keyof typeof apiKeyScopes>>;

/** One of the words of {@link ApiKeyScope}. */
export type ApiKeyScope = keyof typeof apiKeyScopes;
