import { accessSync, constants, mkdirSync, statSync, writeFileSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { CommandError } from "../invocation/command-error";
import { launcherText, type RequestPlace } from "./launcher-text";

/** A command and its environment. */
interface Launched {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

const usualTools = ["terraform", "tofu"];

/**
 * Replaces the tools that a command can call with launchers: those on PATH, the one that
 * TERRAFORM_BINARY_NAME names for cdktf, and the command itself.
 *
 * @param onPath a new folder, which is put first on PATH
 * @throws CommandError if the launchers cannot be started, because their folder is mounted without execution
 */
export function writeLaunchers(
  place: RequestPlace,
  onPath: string,
  { command, env }: Launched,
): Launched {
  const path = env["PATH"] ?? "";
  const named = env["TERRAFORM_BINARY_NAME"] ?? "";
  const write = (folder: string, name: string, tool: string): string => {
    mkdirSync(folder, { recursive: true });
    const launcher = join(folder, name);
    writeFileSync(launcher, launcherText(place, tool), { mode: 0o700 });
    refuseUnstartable(launcher);
    return launcher;
  };
  for (const name of new Set([...usualTools, ...(isName(named) ? [named] : [])])) {
    const tool = findOnPath(name, path);
    if (tool !== undefined) write(onPath, name, tool);
  }
  // The same name as on PATH can be another version there.
  const replaced = (tool: string, folder: string): string =>
    isAbsolute(tool) ? write(join(place.folder, folder), basename(tool), tool) : tool;
  return {
    command: usualTools.includes(basename(command)) ? replaced(command, "command") : command,
    env: {
      ...env,
      PATH: `${onPath}${delimiter}${path}`,
      ...(named !== "" && { TERRAFORM_BINARY_NAME: replaced(named, "named") }),
    },
  };
}

const isName = (tool: string): boolean => tool !== "" && !tool.includes("/");

function findOnPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder === "" ? "." : folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });
}

/** Refuses a launcher that cannot be started: callers would skip it and find the tool itself. */
function refuseUnstartable(launcher: string): void {
  try {
    accessSync(launcher, constants.X_OK);
  } catch (cause) {
    throw new CommandError(
      `--warm cannot start programs in ${launcher}: the folder is probably mounted with noexec.`,
      "Set TMPDIR to a folder in which programs can be started, or run without --warm.",
      undefined,
      { cause },
    );
  }
}
