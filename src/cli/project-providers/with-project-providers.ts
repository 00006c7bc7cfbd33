import { messageOf } from "../../core/failure/failure";
import { join } from "node:path";
import { isObject, parsedJson } from "../../core/json/plain-json";
import { packageRoot } from "../../core/process/package-root";
import { sharedFolderProblem, withTemporaryFolder } from "../exec/temporary-folder";
import { CommandError, note } from "../invocation/failure";
import type { Project } from "../synthesis/project";
import { startWarmProvider, type WarmProvider } from "../warm/warm-provider";
import { type ProviderFile, providerFile } from "./provider-file";

/**
 * Calls `use` with the environment in which Terraform finds the providers of the project. Until `use` ends, one process in
 * the folder of the project serves them.
 *
 * @throws CommandError if the file of the providers cannot be loaded
 */
export async function withProjectProviders<Result>(
  project: Project,
  env: NodeJS.ProcessEnv,
  use: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  const file = providerFile(project);
  if (file === undefined) return await use(env);
  return await withTemporaryFolder(async (folder) => {
    refuseSharedFolder(file);
    const served = await start(file, project, env, folder);
    try {
      return await use(attached(env, served));
    } finally {
      await served.close();
    }
  });
}

/** @throws CommandError if another user could replace the sockets */
function refuseSharedFolder({ path }: ProviderFile): void {
  const problem = sharedFolderProblem();
  if (problem === undefined) return;
  throw new CommandError(
    `The providers in ${path} need a folder for sockets that no other user can replace, but ${problem}.`,
    "Set TMPDIR to a folder of your own.",
  );
}

async function start(
  { path, isNamed }: ProviderFile,
  { folder }: Project,
  env: NodeJS.ProcessEnv,
  socketFolder: string,
): Promise<WarmProvider> {
  const main = join(packageRoot(), "dist/src/cli/project-providers/main.js");
  const own = { ...env, TRIVET_PROJECT_FOLDER: folder };
  const present = Object.entries<string | undefined>(own).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const served = await startWarmProvider({
    name: "of the project",
    command: [process.execPath, "--enable-source-maps", main, path],
    folder,
    env: Object.fromEntries(present),
    socketFolder,
    calledIn: folder,
    onCrash: (how) => {
      note(`the providers in ${path} ended: ${how}`);
    },
  }).catch((cause: unknown) => {
    const output = messageOf(cause);
    throw new CommandError(
      `The providers of the project cannot be loaded:\n${output}`,
      `Correct ${path}.`,
      undefined,
      { cause },
    );
  });
  if (Object.keys(served.attachments).length > 0) return served;
  if (!isNamed) {
    note(`${path} exports no provider. If one is defined there, write export before it.`);
    return served;
  }
  await served.close();
  throw new CommandError(
    `${path} exports no provider.`,
    "Export a definition with `declaration`, `configure` and `resources`.",
  );
}

/** Adds the providers to the user's attached ones. */
function attached(env: NodeJS.ProcessEnv, { attachments }: WarmProvider): NodeJS.ProcessEnv {
  const given = parsedJson(env["TF_REATTACH_PROVIDERS"] ?? "");
  const all = { ...attachments, ...(isObject(given) && given) };
  return Object.keys(all).length === 0
    ? env
    : { ...env, TF_REATTACH_PROVIDERS: JSON.stringify(all) };
}
