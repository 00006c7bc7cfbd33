// A process that takes a build lock whenever its parent says so, and keeps it until the parent says so. Its
// file system is slow: before each call there is a random pause, and a new file is empty for a while.
import files, { open, type FileHandle } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { withBuildLock } from "../../../../src/local/workspace/state/build-lock";

const [folder = "", crashesAt = ""] = process.argv.slice(2);
const maxPauseMs = 3;
const pause = (): Promise<void> => sleep(Math.random() * maxPauseMs);

type Call = (...args: never[]) => Promise<unknown>;
const calls = files as unknown as Record<string, Call>;

for (const name of ["readFile", "rm", "link", "rename", "unlink"]) {
  const call = calls[name];
  if (call === undefined) throw new Error(`node:fs/promises has no ${name}`);
  calls[name] = async (...args) => {
    if (name === crashesAt) process.kill(process.pid, "SIGKILL");
    await pause();
    return call(...args);
  };
}
calls["writeFile"] = async (...args: readonly unknown[]) => {
  const [file, content, { flag, mode }] = args as [string, string, { flag: string; mode: number }];
  const handle: FileHandle = await open(file, flag, mode);
  await pause();
  await handle.write(content);
  await handle.close();
};

const said = (message: string): Promise<void> =>
  new Promise((resolve) => {
    process.once("message", (received) => {
      if (received !== message) throw new Error(`expected ${message}, got ${String(received)}`);
      resolve();
    });
  });

async function main(): Promise<void> {
  for (;;) {
    await said("take");
    await withBuildLock(folder, async () => {
      process.send?.("taken");
      await said("release");
    }).then(
      () => process.send?.("released"),
      (failure: unknown) => {
        const code = (failure as { readonly code?: string }).code;
        process.send?.(code === "BUSY" ? "busy" : String(failure));
      },
    );
  }
}
void main();
