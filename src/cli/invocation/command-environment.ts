import { stat } from "node:fs/promises";
import { homedir } from "node:os";

/** The environment that a command reads. Tests pass their own. */
export interface CommandEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly workingFolder: string;
  readonly platform: NodeJS.Platform;
}

export function commandEnvironment(): CommandEnvironment {
  return {
    env: process.env,
    home: homedir(),
    workingFolder: process.cwd(),
    platform: process.platform,
  };
}

export const exists = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;
