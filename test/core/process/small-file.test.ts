import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSmallFile, isFileProblem } from "../../../src/core/process/small-file";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trivet-small-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const problemOf = async (path: string): Promise<string> => {
  try {
    await readSmallFile(path, 10);
  } catch (error) {
    if (isFileProblem(error)) return error.message;
    throw error;
  }
  throw new Error("the file was read");
};

test("a file is read up to its maximum size", async () => {
  const file = join(folder, "a");
  writeFileSync(file, "0123456789");
  expect(await readSmallFile(file, 10)).toBe("0123456789");
  expect(await readSmallFile(join(folder, "none"), 10)).toBeUndefined();
  expect(await readSmallFile(join(file, "below"), 10)).toBeUndefined();
});

test("a file that is too large, a folder and a pipe are refused at once", async () => {
  const file = join(folder, "a");
  writeFileSync(file, "0123456789a");
  expect(await problemOf(file)).toBe("it has more than 10 bytes");
  expect(await problemOf(folder)).toBe("it is not a regular file");
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  expect(await problemOf(pipe)).toBe("it is not a regular file");
});
