import type { startupScriptBehaviors } from "./declare";

/** Whether a login waits for the startup script. */
export const StartupScriptBehavior = {
  /** The workspace is ready only when the script has ended. */
  BLOCKING: "blocking",
  /** Users log in while the script runs. */
  NON_BLOCKING: "non-blocking",
} as const satisfies Readonly<Record<string, keyof typeof startupScriptBehaviors>>;

/** One of the words of {@link StartupScriptBehavior}. */
export type StartupScriptBehavior = keyof typeof startupScriptBehaviors;
