import { accessSync, constants, mkdirSync, statSync, writeFileSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { CommandError } from "../invocation/command-error";

/** Where launchers ask: see {@link launcherText}. */
export interface RequestPlace {
  /** The folder for the files of a request. */
  readonly folder: string;
  /** The pipe that this process reads. */
  readonly pipe: string;
  /** The process that answers. */
  readonly pid: number;
}

/** A command and its environment. */
export interface Launched {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

const usualTools = ["terraform", "tofu"];

/**
 * Replaces the tools that a command can call by launchers: those on PATH, the one that
 * TERRAFORM_BINARY_NAME names for cdktf, and the command itself.
 *
 * @param onPath a new folder, which is put first on PATH
 * @throws CommandError if the launchers cannot be started, because of how their folder is mounted
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

/**
 * A script that asks for TF_REATTACH_PROVIDERS and then becomes the tool.
 *
 * It writes a file with its folder, its arguments and its environment, and then its PID into the pipe.
 * The answer is a line in a pipe of its own, empty if nothing has to be set. If this process has been
 * killed, the tool starts the providers itself.
 */
function launcherText({ folder, pipe, pid }: RequestPlace, tool: string): string {
  return `#!/bin/sh
# Written by \`trivet exec --warm\`, for as long as its command runs.
request=${quoted(folder)}/$$
if kill -0 ${pid} 2>/dev/null && mkfifo "$request.answer" 2>/dev/null &&
  { printf '%s\\0' "$PWD" "$#" "$@" && env -0; } >"$request" 2>/dev/null
then
  exec 8<>${quoted(pipe)}
  echo "ask $$" >&8
  IFS= read -r answer <"$request.answer"
  echo "end $$" >&8
  exec 8>&-
  if [ -n "$answer" ]; then
    TF_REATTACH_PROVIDERS=$answer
    export TF_REATTACH_PROVIDERS
  fi
fi
exec ${quoted(tool)} "$@"
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

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

/** Whoever calls the tool would skip a launcher that cannot be started, and find the tool itself. */
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
