import type { BuiltPackage } from "../package/built-package";
import type { CommandEnvironment } from "../invocation/command-environment";
import type { Outcome } from "./run-tool";

/** One line of the report. */
export interface Observation {
  readonly status: "ok" | "warning" | "problem";
  readonly text: string;
  /** What to do about it; every warning and problem has one. */
  readonly cure?: string;
}

export interface Examined {
  readonly around: CommandEnvironment;
  readonly mirror: string;
  readonly platform: string;
  readonly nodeVersion: string;
  /** Undefined when the providers are not built. */
  readonly built: readonly BuiltPackage[] | undefined;
  readonly run: (command: string, args: readonly string[]) => Promise<Outcome>;
}

export type Check = (
  examined: Examined,
) => Promise<readonly Observation[]> | readonly Observation[];

export function ok(text: string): Observation {
  return { status: "ok", text };
}

export function warning(text: string, cure: string): Observation {
  return { status: "warning", text, cure };
}

export function problem(text: string, cure: string): Observation {
  return { status: "problem", text, cure };
}
