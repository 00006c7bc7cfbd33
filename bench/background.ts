import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** A running program from `probe/` that serves until it is closed. */
export interface Background {
  readonly pid: number;
  /** The facts that it printed when it became ready. */
  readonly facts: Readonly<Record<string, string>>;
  /** Closes the program's input and waits for it to end. */
  close(): Promise<void>;
}

/**
 * Starts a program from `probe/` that prints its facts as one line of JSON and ends when its input
 * ends.
 */
export async function startBackground(
  name: string,
  ...args: readonly string[]
): Promise<Background> {
  const child = spawn(process.execPath, [join(__dirname, "probe", `${name}.js`), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const facts = await Promise.race([
    once(child.stdout, "data").then(([line]) => String(line)),
    closed.then(() => Promise.reject(new Error(`${name} ended before it was ready`))),
  ]);
  return {
    pid: child.pid ?? 0,
    facts: JSON.parse(facts) as Record<string, string>,
    async close() {
      child.stdin.end();
      await closed;
    },
  };
}
