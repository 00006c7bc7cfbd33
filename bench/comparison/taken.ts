import type { Timing } from "../time-command";
import type { WarmTiming } from "../warm-terraform";

/** The commands of a comparison. */
export const commands = {
  plan: "terraform plan -input=false -lock=false",
  apply: "terraform apply -input=false -lock=false -auto-approve",
} as const;

export type CommandName = keyof typeof commands;

export const commandNames = ["plan", "apply"] as const satisfies readonly CommandName[];

/** The time of each command. */
export type Timings<Each = Timing> = Readonly<Record<CommandName, Each>>;

/** One run of each, one after another. */
export interface Taken {
  readonly ours: Timings;
  /** Our provider as an executable with its runtime, if it is measured. */
  readonly compiled: Timings | undefined;
  /** Our provider, kept by `trivet exec --warm`. */
  readonly warm: Timings<WarmTiming>;
  /** The peer, if it is measured. */
  readonly theirs: Timings | undefined;
}
