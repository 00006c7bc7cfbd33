import { createRequire } from "node:module";
import type { ProviderRoutes } from "../../core/provider-kit/host";
import { isUsersFile } from "../user-code/source-position";
import { CommandError } from "../invocation/failure";
import { LoopGuard } from "../user-code/loop-guard";
import type { Project } from "../synthesis/project";
import { guardProcess } from "../../planner/offline-plan/without-network";
import {
  loadProviders,
  type ProjectProvider,
  providerFile,
  type ProviderFile,
} from "./provider-file";

/** How long a handler can block this process before the process is ended. */
const blockedMs = 30_000;

let isPrepared = false;

/**
 * Loads the newest providers of a project into this process, for plans without Terraform.
 *
 * @returns their routes by source address; undefined if the project has no file with providers
 * @throws CommandError if the file cannot be loaded
 */
export function providersOf(project: Project): ReadonlyMap<string, ProviderRoutes> | undefined {
  const file = providerFile(project);
  if (file === undefined) return undefined;
  return new Map(providersIn(file, project).map(({ source, routes }) => [source, routes]));
}

/**
 * Loads the newest sources of a file with providers into this process.
 *
 * @throws CommandError if the file cannot be loaded
 */
export function providersIn(file: ProviderFile, project: Project): readonly ProjectProvider[] {
  prepare(project.folder);
  const { cache } = createRequire(__filename);
  for (const loaded of Object.keys(cache).filter(isUsersFile)) {
    Reflect.deleteProperty(cache, loaded);
  }
  try {
    return loadProviders(file.path);
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    throw new CommandError(
      `The providers of the project cannot be loaded:\n${reason}`,
      `Correct ${file.path}.`,
      undefined,
      { cause },
    );
  }
}

/** Keeps handlers from blocking or ending this process. */
function prepare(folder: string): void {
  process.env["TRIVET_PROJECT_FOLDER"] = folder;
  if (isPrepared) return;
  isPrepared = true;
  guardProcess();
  // So that errors of handlers have lines in the sources.
  process.setSourceMapsEnabled(true);
  new LoopGuard({}).watch(blockedMs);
  const exit = process.exit.bind(process);
  process.exit = (code) => {
    const failure = new Error(`process.exit(${code ?? ""}) was called`);
    const project = process.env["TRIVET_PROJECT_FOLDER"] ?? folder;
    if (failure.stack?.includes(project) !== true) return exit(code);
    throw failure;
  };
}
