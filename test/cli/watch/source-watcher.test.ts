import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SourceWatcher } from "../../../src/cli/watch/source-watcher";
import { temporaryFolder } from "../temporary-folder";

const never = new AbortController().signal;

async function watched() {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
  };
  write("main.ts", "1");
  const watcher = new SourceWatcher(folder, "cdktf.out");
  await watcher.begin();
  return { watcher, write };
}

describe("watching sources", () => {
  it("tells what was changed, also before it waits, and only once", async () => {
    const { watcher, write } = await watched();
    write("main.ts", "2");
    write("other.ts", "1");
    expect(await watcher.endRun()).toEqual([]);
    expect(await watcher.next(never)).toEqual(["main.ts", "other.ts"]);
    const next = watcher.next(never);
    write("main.ts", "3");
    expect(await next).toEqual(["main.ts"]);
  });

  it("leaves out what the app writes in each run, but never code", async () => {
    const { watcher, write } = await watched();
    for (const run of ["1", "2"]) {
      write("built.json", run);
      write("edited.ts", run);
      expect(await watcher.endRun()).toEqual([]);
      expect(await watcher.next(never)).toEqual(["built.json", "edited.ts"]);
    }
    write("built.json", "3");
    write("edited.ts", "3");
    expect(await watcher.endRun()).toEqual(["built.json"]);
    expect(await watcher.next(never)).toEqual(["edited.ts"]);
  });

  it("does not leave out what changes only in some runs", async () => {
    const { watcher, write } = await watched();
    for (const run of ["1", "2", "3", "4"]) {
      if (run !== "3") write("edited.json", run);
      expect(await watcher.endRun()).toEqual([]);
      if (run !== "3") expect(await watcher.next(never)).toEqual(["edited.json"]);
    }
  });

  it("ends when it is aborted", async () => {
    const { watcher } = await watched();
    const stop = new AbortController();
    const next = watcher.next(stop.signal);
    stop.abort();
    expect(await next).toEqual([]);
  });
});
