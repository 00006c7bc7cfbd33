import { accessSync, constants, mkdirSync, statSync, writeFileSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { CommandError } from "../invocation/failure";
import type { ProcessMark } from "../../core/process/process-facts";

interface Launched {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

const usualTools = ["terraform", "tofu"];

/**
 * Replaces the tools that a command can call with launchers: the tools on PATH, the one in TERRAFORM_BINARY_NAME, which cdktf
 * runs, and the command itself.
 *
 * @param onPath a new folder, which is put first on PATH
 * @throws CommandError if the launchers cannot be started, because their folder is mounted with noexec
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

/** Refuses a launcher that cannot be started: callers would skip it, and run the tool itself. */
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

/** The place where launchers send their requests. */
export interface RequestPlace {
  /** The folder for the pipes of a request. */
  readonly folder: string;
  /** The pipe that this process reads. */
  readonly pipe: string;
  /** The process that answers. */
  readonly server: ProcessMark;
}

/**
 * How often a launcher checks, once a second, whether an answer can still arrive. Starting a provider takes at most 60 seconds.
 */
const maxLooks = 120;

/**
 * Returns a script that asks for TF_REATTACH_PROVIDERS and then becomes the tool.
 *
 * It writes its PID into the pipe of requests, and its folder, its arguments and its environment into another pipe, so that
 * they are in no file. The answer is a line in a third pipe, empty if nothing has to be set. If this process has been killed,
 * even if another one has its PID now, or if it does not answer, the tool starts the providers itself.
 *
 * All this happens in a subshell, so that variables, descriptors and children of the script do not change.
 */
export function launcherText(
  { folder, pipe, server }: RequestPlace,
  tool: string,
  platform: NodeJS.Platform = process.platform,
): string {
  return `#!/bin/sh
# Written by \`trivet exec --warm\`, for as long as its command runs.
serves() {
  ${platform === "linux" ? servesByProc(server) : servesByPs(server)}
}
trivet_answer=$(
  exec 2>/dev/null
  trivet_request=${quoted(folder)}/$$
  serves && mkfifo -m 600 "$trivet_request" "$trivet_request.answer" || exit
  exec 9<>"$trivet_request.answer"
  { printf '%s\\0' "$PWD" "$#" "$@" && env -0 && printf '\\0'; } >"$trivet_request" 9<&- &
  trivet_writer=$!
  {
    trivet_looks=0
    while [ $trivet_looks -lt ${maxLooks} ] && serves && sleep 1; do trivet_looks=$((trivet_looks + 1)); done
    echo >&9
  } </dev/null >/dev/null &
  exec 8<>${quoted(pipe)}
  echo "ask $$" >&8
  IFS= read -r trivet_answer <&9
  kill -KILL $trivet_writer $!
  if serves; then echo "end $$" >&8; else rm -f "$trivet_request" "$trivet_request.answer"; fi
  printf '%s' "$trivet_answer"
)
if [ -n "$trivet_answer" ]; then
  TF_REATTACH_PROVIDERS=$trivet_answer
  export TF_REATTACH_PROVIDERS
fi
exec ${quoted(tool)} "$@"
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns shell code that checks whether a process is alive, like `isProcessAlive`. It starts no process. */
const servesByProc = ({ pid, start }: ProcessMark): string =>
  start === undefined
    ? `kill -0 ${pid}`
    : `boot=
  read -r boot </proc/sys/kernel/random/boot_id
  IFS= read -r facts </proc/${pid}/stat || return
  set -- \${facts##*") "}
  [ "$1" != Z ] && [ "$boot/\${20}" = ${quoted(start)} ]`;

/** Like {@link servesByProc}, but with `ps`. */
const servesByPs = ({ pid, start }: ProcessMark): string =>
  start === undefined
    ? `kill -0 ${pid}`
    : `facts=$(LC_ALL=C TZ=UTC ps -o state=,lstart= -p ${pid}) || return
  case $facts in
    Z*) return 1 ;;
    *${quoted(start)}*) return 0 ;;
    *) return 1 ;;
  esac`;
