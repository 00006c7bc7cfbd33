import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { packageRoot } from "../../core/process/package-root";
import { writeStyled } from "../../core/redaction/output";
import { printable } from "../../core/redaction/printable";
import type { ConstructOf } from "../../planner/changes/construct-place";
import { widthOf } from "../../core/redaction/wrapped";
import { forecastText, summaryOf } from "../../planner/changes/forecast";
import { builtProviders } from "../../planner/offline-plan/catalog";
import { parseRefusals, refusalTexts } from "../deploy/refusal";
import { Interruption, killGroup } from "../exec/interruption";
import { withTemporaryFolder } from "../exec/temporary-folder";
import { noteCodes } from "../explain/code-pages";
import { boldTitle, isStyled } from "../explain/command";
import { commandEnvironment } from "../invocation/command-environment";
import { ExitCode, printJson, note } from "../invocation/failure";
import { builtPackages } from "../package/built-package";
import { providersOf } from "../project-providers/providers-in-process";
import { givenVariables } from "../stack/variables";
import { chooseStacks } from "../synthesis/choose-stacks";
import { annotationText, type Stack } from "../synthesis/manifest";
import { type Project, readProject } from "../synthesis/project";
import { withRepeatedApp } from "../synthesis/repeated-app";
import { startApp, synthesize } from "../synthesis/synthesize";
import { repeatOnChange, isCode } from "../watch/source-watcher";
import { type CheckedStack, type CheckSettings, checkStack } from "./check-stack";

export interface CheckOptions {
  readonly against?: string;
  readonly refuse?: readonly string[];
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
  readonly json?: true;
  readonly watch?: true;
}

/** Runs `trivet check`, and sets the exit code. */
export async function runCheck(patterns: readonly string[], options: CheckOptions): Promise<void> {
  const settings = await checkSettings(options, options.watch === true);
  const project = await readProject(process.cwd());
  const interruption = new Interruption();
  try {
    const request = { patterns, isJson: options.json === true, settings, interruption };
    if (options.watch !== true) {
      const stacks = await synthesize(project, commandEnvironment().env, interruption);
      // Nothing else runs from here on, so a signal ends this process immediately, even during a plan.
      interruption.release();
      process.exitCode = await checkStacks(stacks, {
        ...request,
        settings: currentSettings(settings, project, []),
      });
      return;
    }
    await checkRepeatedly(project, request);
    process.exitCode = interruption.exitCode ?? ExitCode.ok;
  } catch (error) {
    // An interrupted check can fail in any way.
    if (interruption.exitCode === undefined) throw error;
    process.exitCode = interruption.exitCode;
  } finally {
    interruption.release();
  }
}

/**
 * @param isRepeated true if each check asks providers only about what has changed since the last one
 * @throws CommandError if an option is invalid
 */
export async function checkSettings(
  options: Pick<CheckOptions, "against" | "refuse" | "var" | "varFile">,
  isRepeated: boolean,
): Promise<CheckSettings> {
  return {
    catalog: builtProviders(await builtPackages(packageRoot()), isRepeated),
    against: options.against,
    refusals: parseRefusals(options.refuse ?? []),
    variables: await givenVariables(options, process.env),
  };
}

interface CheckRequest {
  readonly patterns: readonly string[];
  readonly isJson: boolean;
  readonly settings: CheckSettings;
  readonly interruption: Interruption;
}

/**
 * Returns settings with the current providers of the project.
 *
 * @param files the paths of the files that have changed since the last check
 */
export function currentSettings(
  settings: CheckSettings,
  project: Project,
  files: readonly string[],
): CheckSettings {
  const { catalog } = settings;
  if (!files.every(isCode)) catalog.forget();
  const providers = providersOf(project);
  return providers === undefined ? settings : { ...settings, catalog: catalog.with(providers) };
}

/** Checks after each change of the sources. The app stays loaded in between. */
async function checkRepeatedly(project: Project, request: CheckRequest): Promise<void> {
  const { env } = commandEnvironment();
  const { interruption } = request;
  let outdated = new AbortController();
  let isPlanned = false;
  await withRepeatedApp(project, env, interruption, (app) =>
    repeatOnChange(project, interruption, async (files) => {
      outdated.abort();
      outdated = new AbortController();
      const { stacks, isUnchecked } = await app
        .run({ files, unsaved: {}, isBeingWritten: false })
        .catch((failure: unknown) => {
          if (isPlanned) note("the plan above is outdated: it does not include this change");
          throw failure;
        });
      const settings = currentSettings(request.settings, project, files);
      await checkStacks(stacks, { ...request, settings });
      isPlanned = true;
      if (isUnchecked) void confirm(project, env, outdated.signal);
    }),
  );
  outdated.abort();
}

/** @returns the exit code */
async function checkStacks(
  stacks: readonly Stack[],
  { patterns, isJson, settings, interruption }: CheckRequest,
): Promise<number> {
  const chosen = chooseStacks(stacks, {
    patterns: patterns.length === 0 ? ["*"] : patterns,
    isReversed: false,
    isComplete: false,
  });
  const results: CheckedStack[] = [];
  for (const stack of chosen) {
    if (interruption.exitCode !== undefined) return interruption.exitCode;
    const { checked, constructOf } = await checkStack(stack, settings);
    results.push(checked);
    if (!isJson) writeStyled(process.stdout, checkText(checked, constructOf));
  }
  if (isJson) printJson({ stacks: results });
  else noteCodes(results.flatMap((each) => [...each.annotations, ...each.diagnostics]));
  if (settings.refusals.length > 0 && results.some(({ isCompared }) => !isCompared)) {
    return ExitCode.usage;
  }
  if (results.some(hasErrors)) return ExitCode.failed;
  return results.some(({ refused }) => refused.length > 0) ? ExitCode.refused : ExitCode.ok;
}

const hasErrors = ({ diagnostics, annotations }: CheckedStack): boolean =>
  diagnostics.some(({ severity }) => severity === "error") ||
  annotations.some(({ level }) => level === "error");

function checkText(result: CheckedStack, constructOf: ConstructOf): string {
  const isColored = isStyled();
  const { name, annotations, comparedWith } = result;
  const remarks = annotations.map(annotationText);
  return [
    forecastText(result, { constructOf, remarks, isColored, width: widthOf(process.stdout) }),
    ...refusalTexts(result.changes, result.refused).map((text) => `  ${printable(text)}\n`),
    `${boldTitle(`${name}: ${summaryOf(result)}`)}, compared with ${printable(comparedWith)}\n`,
  ].join("");
}

/** More output of an app is cut. */
const maxLength = 64 * 1024;

/** Runs the app's own command in the background, and prints errors that a quick compilation misses, such as types. */
async function confirm(
  project: Project,
  env: NodeJS.ProcessEnv,
  aborted: AbortSignal,
): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const child = startApp(project, env, { CDKTF_OUTDIR: folder }, "pipe");
    const kill = (): void => {
      killGroup(child);
    };
    aborted.addEventListener("abort", kill);
    if (aborted.aborted) kill();
    else if (child.pid !== undefined) lowerPriority(child.pid);
    let output = "";
    const collect = (data: Buffer): void => {
      output = `${output}${data.toString()}`.slice(0, maxLength);
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    const [code] = (await once(child, "close")) as unknown[];
    aborted.removeEventListener("abort", kill);
    if (aborted.aborted || code === 0) return;
    note(`the app's own command fails, so this cannot be deployed:\n${output}`);
  });
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended, or the system does not allow this.
  }
}
