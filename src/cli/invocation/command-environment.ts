import { homedir } from "node:os";

/** What a command reads of the machine it runs on; tests pass their own. */
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
