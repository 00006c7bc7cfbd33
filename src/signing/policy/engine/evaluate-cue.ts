import { serverMessage } from "../../../http/server-message";
import { refuses, type ProgramAnswer } from "./program";
import type { EngineRun } from "./run-engine";

/** The files that `cue` reads, and how it is called. */
export const cuePolicyFile = "policy.cue";
export const cueInputFile = "input.json";
export const cueArguments: readonly string[] = ["vet", "-c", cuePolicyFile, cueInputFile];
/** An empty folder: without it, `cue` looks for modules in the folders above, which others may write. */
export const cueModuleFolder = "cue.mod";

/**
 * The answer of `cue vet`, which says nothing if the input satisfies the policy. All values must be known:
 * what a policy requires must be in the input.
 *
 * @see https://cuelang.org/docs/reference/command/cue-help-vet/
 */
export function cueAnswer(run: EngineRun): ProgramAnswer {
  if ("problem" in run) return refuses(`cannot be evaluated: cue ${run.problem}`);
  const said = serverMessage(`${run.errors} ${run.output}`.replaceAll("./", ""));
  if (run.code === 0 && said === "") return { isCompliant: true };
  if (run.code === 0) return refuses(`cannot be evaluated: cue said ${JSON.stringify(said)}`);
  return refuses(`is not satisfied: ${said === "" ? `cue ended with ${run.code}` : said}`);
}
