import type { BuiltPackage } from "../package/built-package";
import type { CommandEnvironment } from "../invocation/command-environment";
import type { RunTool } from "../invocation/run-tool";

export interface Observation {
  readonly status: "ok" | "warning" | "problem";
  readonly message: string;
  /** How to fix it. Every warning and problem has one. */
  readonly fix?: string;
}

export interface Examined {
  readonly around: CommandEnvironment;
  /** The folder of the mirror, as an absolute path. */
  readonly mirror: string;
  /** Terraform's name of the platform, such as `linux_amd64`. */
  readonly platform: string;
  readonly nodeVersion: string;
  /** Undefined if the providers are not built. */
  readonly built: readonly BuiltPackage[] | undefined;
  /** Runs a tool; a test passes its own. */
  readonly run: RunTool;
}

/** A check of the doctor, which returns lines of the report. */
export type Check = (examined: Examined) => Checked | Promise<Checked>;

/** One or several observations. */
export type Checked = Observation | readonly Observation[];

export const ok = (message: string): Observation => ({ status: "ok", message });

/** Reports a possible problem. */
export const warning = (message: string, fix: string): Observation => ({
  status: "warning",
  message,
  fix,
});

/** Reports a problem that makes a command fail. */
export const problem = (message: string, fix: string): Observation => ({
  status: "problem",
  message,
  fix,
});
