import { existsSync, promises, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withFileLock } from "../../../../../src/core/signing/oci/layout/layout-folder";
import { temporaryFolder } from "../../../../cli/temporary-folder";

const path = join(temporaryFolder(), "lock");
const noLimit = (): void => undefined;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Leaves a lock, as a process that was killed an hour ago. */
function leaveLock(): void {
  writeFileSync(path, "");
  const hourAgo = Date.now() / 1000 - 3600;
  utimesSync(path, hourAgo, hourAgo);
}

test("a lock that was left over is replaced", async () => {
  leaveLock();
  expect(await withFileLock(path, noLimit, () => Promise.resolve(existsSync(path)))).toBe(true);
  expect(existsSync(path)).toBe(false);
});

test("a lock is kept if another process replaces the one that was left over first", async () => {
  leaveLock();
  const lstat = promises.lstat.bind(promises);
  const looks: string[] = [];
  jest.spyOn(promises, "lstat").mockImplementation(async (name) => {
    const found = await lstat(name);
    if (name !== path) return found;
    if (looks.length === 0) {
      rmSync(path);
      writeFileSync(path, "of another process");
    } else if (looks.length === 1) {
      // The other process works until here.
      expect(readFileSync(path, "utf8")).toBe("of another process");
      rmSync(path);
    }
    looks.push(name);
    return found;
  });
  expect(await withFileLock(path, noLimit, () => Promise.resolve(looks.length))).toBe(2);
});
