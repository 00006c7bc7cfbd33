import { messageOf } from "../../core/failure/failure";
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, rmSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { processMark } from "../../core/process/process-facts";
import { Interruption } from "../exec/interruption";
import { sharedFolderProblem, withTemporaryFolder } from "../exec/temporary-folder";
import { CommandError, ExitCode, note } from "../invocation/failure";
import { type RequestPlace, writeLaunchers } from "./launcher";
import { type TerraformInvocation, WarmProviders } from "./warm-providers";

type Run = (command: string, env: NodeJS.ProcessEnv) => Promise<number>;

/**
 * Runs a command so that the Terraform commands in it share providers, which end with the command.
 *
 * @param command the command to run; a tool is replaced by its launcher
 * @throws CommandError on Windows, and if there is no folder in which sockets are safe
 */
export async function withWarmProviders(
  command: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  run: Run,
): Promise<number> {
  if (platform === "win32") {
    throw new CommandError(
      "--warm needs a POSIX shell, which Windows does not have.",
      "Run `trivet` and `terraform` inside WSL, or run without --warm.",
      ExitCode.usage,
    );
  }
  // Keeps signals from ending this process before it has removed its folder.
  const interruption = new Interruption();
  try {
    return await withTemporaryFolder(async (folder) => {
      refuseSharedFolder();
      const onPath = join(folder, "bin");
      const providers = new WarmProviders({ socketFolder: folder, onPath });
      const pipe = new RequestPipe(folder, (invocation) => providers.attachments(invocation));
      try {
        const launched = writeLaunchers(pipe.place, onPath, { command, env });
        return interruption.exitCode ?? (await run(launched.command, launched.env));
      } finally {
        pipe.close();
        await providers.close();
      }
    });
  } finally {
    interruption.release();
  }
}

/** @throws CommandError if another user could replace the sockets and the scripts */
function refuseSharedFolder(): void {
  const problem = sharedFolderProblem();
  if (problem === undefined) return;
  throw new CommandError(
    `--warm needs a folder for sockets that no other user can replace, but ${problem}.`,
    "Set TMPDIR to a folder of your own, or run without --warm.",
  );
}

/** Returns the value for TF_REATTACH_PROVIDERS, or undefined if it need not change. */
type Answer = (invocation: TerraformInvocation) => Promise<string | undefined>;

interface Conversation {
  readonly request: Socket;
  readonly answer: number;
}

/**
 * Reads the requests of launchers, and answers them.
 *
 * Opens all pipes for both directions, so that opening never blocks, and a pipe does not end with a launcher.
 */
export class RequestPipe {
  readonly place: RequestPlace;
  readonly #answer: Answer;
  readonly #requests: Socket;
  readonly #open = new Map<string, Conversation>();
  #partial = "";

  /** @throws CommandError if there is no `mkfifo` */
  constructor(folder: string, answer: Answer) {
    this.#answer = answer;
    const pipe = join(folder, "requests");
    const made = spawnSync("mkfifo", ["-m", "600", pipe], { encoding: "utf8" });
    if (made.status !== 0) {
      throw new CommandError(
        `--warm cannot create a pipe: ${made.error?.message ?? made.stderr.trim()}.`,
        "Check that `mkfifo` is on PATH, or run without --warm.",
      );
    }
    this.place = { folder, pipe, server: processMark() };
    this.#requests = reader(pipe);
    this.#requests.on("data", (text: string) => {
      const lines = `${this.#partial}${text}`.split("\n");
      this.#partial = lines.pop() ?? "";
      for (const line of lines) this.#receive(line);
    });
  }

  close(): void {
    this.#requests.destroy();
    for (const [pid] of this.#open) this.#end(pid);
  }

  #receive(line: string): void {
    const [, verb, pid] = /^(ask|end) (\d+)$/.exec(line) ?? [];
    if (pid === undefined) return;
    if (verb === "end") this.#end(pid);
    else {
      this.#ask(pid).catch((failure: unknown) => {
        const reason = messageOf(failure);
        note(`Terraform starts its providers itself: ${reason}`);
        // The launcher reads an empty answer.
        this.#end(pid);
      });
    }
  }

  async #ask(pid: string): Promise<void> {
    const file = join(this.place.folder, pid);
    const own = { request: reader(file), answer: openBoth(`${file}.answer`) };
    this.#open.set(pid, own);
    const answer = await this.#answer(await readInvocation(Number(pid), own.request));
    if (this.#open.get(pid) === own) writeSync(own.answer, `${answer ?? ""}\n`);
  }

  #end(pid: string): void {
    const own = this.#open.get(pid);
    if (own === undefined) return;
    this.#open.delete(pid);
    own.request.destroy();
    closeSync(own.answer);
    for (const name of [pid, `${pid}.answer`])
      rmSync(join(this.place.folder, name), { force: true });
  }
}

const openBoth = (pipe: string): number => openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);

const reader = (pipe: string): Socket =>
  new Socket({ fd: openBoth(pipe), readable: true, writable: false }).setEncoding("utf8");

function readInvocation(pid: number, request: Socket): Promise<TerraformInvocation> {
  let text = "";
  return new Promise((resolve, reject) => {
    request.on("error", reject).on("data", (piece: string) => {
      text += piece;
      const invocation = parseInvocation(pid, text);
      if (invocation !== undefined) resolve(invocation);
    });
  });
}

/**
 * Parses the folder, the number of arguments, the arguments, and the environment, which an empty entry ends.
 * Returns undefined if something is missing.
 */
export function parseInvocation(pid: number, text: string): TerraformInvocation | undefined {
  const [calledIn = "", count = "", ...rest] = text.split("\0");
  const args = rest.slice(0, Number(count));
  const entries = rest.slice(args.length);
  const [end, afterEnd] = entries.slice(-2);
  if (end !== "" || afterEnd !== "") return undefined;
  const env = entries.flatMap((entry) => {
    const at = entry.indexOf("=");
    return at < 1 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const];
  });
  return { pid, calledIn, args, env: Object.fromEntries(env) };
}
