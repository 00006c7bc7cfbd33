import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { CommandError } from "../invocation/command-error";
import type { RequestPlace } from "./launcher";
import type { TerraformInvocation } from "./terraform-invocation";

/** Returns what TF_REATTACH_PROVIDERS must be, or undefined if it can stay as it is. */
export type Answer = (invocation: TerraformInvocation) => Promise<string | undefined>;

/**
 * Reads the requests of launchers, and answers them.
 *
 * Both kinds of pipes are also opened for the other direction: opening never blocks, and the pipe of
 * requests does not end with a launcher. An answer's pipe stays open until its launcher has read it. If
 * this process is killed before, the launcher reads an empty answer.
 */
export class RequestPipe {
  readonly place: RequestPlace;
  readonly #answer: Answer;
  readonly #tell: (message: string) => void;
  readonly #requests: Socket;
  readonly #open = new Map<string, number>();
  #partial = "";

  /**
   * @param tell receives what the user should know
   * @throws CommandError if there is no `mkfifo`
   */
  constructor(folder: string, answer: Answer, tell: (message: string) => void) {
    this.#answer = answer;
    this.#tell = tell;
    const pipe = join(folder, "requests");
    const made = spawnSync("mkfifo", ["-m", "600", pipe], { encoding: "utf8" });
    if (made.status !== 0) {
      throw new CommandError(
        `--warm cannot create a pipe: ${made.error?.message ?? made.stderr.trim()}.`,
        "Check that `mkfifo` is on PATH, or run without --warm.",
      );
    }
    this.place = { folder, pipe, pid: process.pid };
    this.#requests = new Socket({ fd: openBoth(pipe), readable: true, writable: false });
    this.#requests.setEncoding("utf8").on("data", (text: string) => {
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
        const reason = failure instanceof Error ? failure.message : String(failure);
        this.#tell(`Terraform starts its providers itself: ${reason}`);
        // The launcher reads an empty answer.
        this.#end(pid);
      });
    }
  }

  async #ask(pid: string): Promise<void> {
    const file = join(this.place.folder, pid);
    const pipe = openBoth(`${file}.answer`);
    this.#open.set(pid, pipe);
    const answer = await this.#answer(readInvocation(Number(pid), file));
    if (this.#open.get(pid) === pipe) writeSync(pipe, `${answer ?? ""}\n`);
  }

  #end(pid: string): void {
    const pipe = this.#open.get(pid);
    if (pipe === undefined) return;
    this.#open.delete(pid);
    closeSync(pipe);
    rmSync(join(this.place.folder, `${pid}.answer`), { force: true });
  }
}

const openBoth = (pipe: string): number => openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);

/** Reads and removes the file of a request: it contains the environment. */
function readInvocation(pid: number, file: string): TerraformInvocation {
  const [calledIn = "", count = "", ...rest] = readFileSync(file, "utf8").split("\0");
  rmSync(file);
  const args = rest.slice(0, Number(count));
  const env = rest.slice(args.length).flatMap((entry) => {
    const at = entry.indexOf("=");
    return at < 1 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const];
  });
  return { pid, calledIn, args, env: Object.fromEntries(env) };
}
