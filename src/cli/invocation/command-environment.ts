import { homedir } from "node:os";

/** What a command reads from the machine that it runs on. Tests pass their own. */
export interface CommandEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly workingFolder: string;
  readonly platform: NodeJS.Platform;
}

/** The environment of this process. */
export function commandEnvironment(): CommandEnvironment {
  return {
    env: process.env,
    home: homedir(),
    workingFolder: process.cwd(),
    platform: process.platform,
  };
}
