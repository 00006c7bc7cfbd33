import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isObject, parseTrustedJson } from "../../core/json/plain-json";
import {
  type AppFailure,
  readReport,
  reportVariable,
  timeoutMs,
  timeoutVariable,
} from "../app-process/app-report";
import { positionText } from "../../planner/changes/construct-place";
import { withTemporaryFile } from "../exec/temporary-folder";
import { packageRoot } from "../../core/process/package-root";
import { CommandError, ExitCode } from "../invocation/failure";
import { codePagePath } from "../explain/code-pages";
import type { Interruption } from "../exec/interruption";
import { manifestFile, readManifest, type Stack } from "./manifest";
import type { Project } from "./project";

/**
 * Runs the app of a project as cdktf does, and reads the list of synthesized stacks. The output of the app
 * goes to standard error.
 *
 * @returns an empty list if it was interrupted
 * @throws CommandError if the app fails, or writes no stacks
 */
export async function synthesize(
  project: Project,
  env: NodeJS.ProcessEnv,
  interruption: Interruption,
): Promise<readonly Stack[]> {
  return await withTemporaryFile("app-report", "{}", async (reportFile) => {
    // If the app writes no manifest, an earlier one must not be read.
    await rm(manifestFile(project), { force: true });
    const child = startApp(project, env, { [reportVariable]: reportFile });
    const [code] = (await interruption.during(child, true, once(child, "close"))) as unknown[];
    if (interruption.exitCode !== undefined) return [];
    const report = await readReport(reportFile);
    if (code !== 0) throw new AppFailed(project, code, report.failure);
    return await readManifest(project, report.positions);
  });
}

/**
 * Starts the app of a project, in a process group of its own.
 *
 * @param env the environment of this command
 * @param others further variables for the app
 * @param output receives what the app prints. @default standard error
 */
export function startApp(
  project: Project,
  env: NodeJS.ProcessEnv,
  others: NodeJS.ProcessEnv,
  output: "pipe" | NodeJS.WriteStream = process.stderr,
): ChildProcess {
  if (timeoutMs(env) === undefined) throw invalidTimeout(env[timeoutVariable]);
  return spawn(project.app, {
    cwd: project.folder,
    env: { ...appEnvironment(project, env), ...others },
    shell: true,
    detached: process.platform !== "win32",
    stdio: ["ignore", output, output],
  });
}

/** Thrown if an app fails. Its output shows the reason. */
export class AppFailed extends CommandError {
  /** @param failure undefined if the app was not observed */
  constructor(
    { app }: Project,
    code: unknown,
    readonly failure: AppFailure | undefined,
  ) {
    const errors = failure === undefined ? [] : [failure, ...failure.causes];
    const explained = errors
      .flatMap(({ findings = [] }) => findings)
      .find((each) => codePagePath(each.code ?? "") !== undefined)?.code;
    const places = errors.flatMap(({ position }) => (position ? [positionText(position)] : []));
    const place = places.length === 0 ? "" : ` at ${[...new Set(places)].join(", caused at ")}`;
    super(
      `The app could not synthesize the stacks: "${app}" ended with ${String(code)}${place}.`,
      `Its output shows the reason${explained === undefined ? "" : `, which \`trivet explain ${explained}\` explains`}. The command is \`app\` in cdktf.json.`,
    );
  }
}

const invalidTimeout = (value = ""): CommandError =>
  new CommandError(
    `The environment variable ${timeoutVariable} must be a number of seconds, at most a day (got "${value}").`,
    "Correct it, or unset it.",
    ExitCode.usage,
  );

const preload = (): string => join(packageRoot(), "dist/src/cli/app-process/preload.js");

/** Returns the environment that cdktf gives to an app. The library reads it. */
function appEnvironment(project: Project, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { output, relativeModules } = project;
  // Values of variables are for Terraform, and must not get into a configuration.
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("TF_VAR_"));
  const { NODE_OPTIONS: options = "", BUN_OPTIONS: bun = "" } = env;
  const context = project.context ?? contextIn(env["CDKTF_CONTEXT_JSON"] ?? "{}");
  return {
    ...Object.fromEntries(kept),
    NODE_OPTIONS: `${options === "" ? "--max-old-space-size=4096" : options} --require ${JSON.stringify(preload())}`,
    // Bun ignores NODE_OPTIONS, and reads quotes only around a whole option.
    BUN_OPTIONS: `${bun} ${JSON.stringify(`--preload=${preload()}`)}`.trimStart(),
    CDKTF_OUTDIR: output,
    CDKTF_CONTEXT_JSON: JSON.stringify({ ...context, cdktfRelativeModules: relativeModules }),
    // So that the manifest contains the errors of all constructs.
    CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: "true",
    SYNTH_HCL_OUTPUT: env["SYNTH_HCL_OUTPUT"] ?? "false",
  };
}

function contextIn(text: string): object {
  try {
    const value = parseTrustedJson(text);
    return isObject(value) ? value : {};
  } catch {
    throw new CommandError(
      "The environment variable CDKTF_CONTEXT_JSON is not a JSON object.",
      "Correct it, or unset it.",
    );
  }
}
