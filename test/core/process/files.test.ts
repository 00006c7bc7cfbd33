import { writeFile as writeFileAtOnce } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  isFileProblem,
  readGivenFile,
  readSmallFile,
  writeFileAtomically,
  writeFileAtomicallySync,
} from "../../../src/core/process/files";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trivet-file-"));
  file = join(folder, "file");
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe.each<
  readonly [string, (file: string, content: string, options?: { mode?: number }) => Promise<void>]
>([
  ["waiting", writeFileAtomically],
  [
    "at once",
    (...args) =>
      Promise.resolve(args).then((all) => {
        writeFileAtomicallySync(...all);
      }),
  ],
])("%s", (_, write) => {
  test("creates a file, and replaces it with its mode", async () => {
    await write(file, "a");
    expect(readFileSync(file, "utf8")).toBe("a");
    chmodSync(file, 0o644);
    await write(file, "b", { mode: 0o600 });
    expect(readFileSync(file, "utf8")).toBe("b");
    expect(modeOf(file)).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  test("creates the folders above it", async () => {
    const deep = join(folder, "x", "y", "file");
    await write(deep, "a");
    expect(readFileSync(deep, "utf8")).toBe("a");
  });

  test("leaves nothing behind when it fails", async () => {
    mkdirSync(join(file, "full"), { recursive: true });
    await expect(write(file, "a")).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  test("reports why a folder cannot be created", async () => {
    writeFileSync(file, "a");
    const below = join(file, "below");
    await expect(write(below, "a")).rejects.toMatchObject({ code: "ENOTDIR" });
    expect(existsSync(below)).toBe(false);
    expect(readFileSync(file, "utf8")).toBe("a");
  });

  test("never changes a file that a reader has open", async () => {
    await write(file, "a");
    const reader = openSync(file, "r");
    await write(file, "b");
    expect(readFileSync(reader, "utf8")).toBe("a");
    closeSync(reader);
  });
});

test("the folders above a file can be private, and its content flushed", async () => {
  const deep = join(folder, "x", "y", "file");
  await writeFileAtomically(deep, "a", { folderMode: 0o700, isSynced: true });
  expect(readFileSync(deep, "utf8")).toBe("a");
  expect([modeOf(join(folder, "x")), modeOf(join(folder, "x", "y"))]).toEqual([0o700, 0o700]);
});

test("concurrent writers do not mix", async () => {
  const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(50_000));
  await Promise.all(contents.map((content) => writeFileAtomically(file, content)));
  expect(contents).toContain(readFileSync(file, "utf8"));
  expect(readdirSync(folder)).toEqual(["file"]);
});

let smallFiles = "";
beforeEach(() => {
  smallFiles = mkdtempSync(join(tmpdir(), "trivet-small-"));
});
afterEach(() => rmSync(smallFiles, { recursive: true }));

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
  const file = join(smallFiles, "a");
  writeFileSync(file, "0123456789");
  expect(await readSmallFile(file, 10)).toBe("0123456789");
  expect(await readSmallFile(join(smallFiles, "none"), 10)).toBeUndefined();
  expect(await readSmallFile(join(file, "below"), 10)).toBeUndefined();
});

test("a file that is too large, a folder and a pipe are refused at once", async () => {
  const file = join(smallFiles, "a");
  writeFileSync(file, "0123456789a");
  expect(await problemOf(file)).toBe("it has more than 10 bytes");
  expect(await problemOf(smallFiles)).toBe("it is not a regular file");
  const pipe = join(smallFiles, "pipe");
  execFileSync("mkfifo", [pipe]);
  expect(await problemOf(pipe)).toBe("it is not a regular file");
});

test("a file of another kind is read up to its maximum size, too", async () => {
  const pipe = join(smallFiles, "pipe");
  execFileSync("mkfifo", [pipe]);
  const writing = writeFileAtOnce(pipe, "0123456789");
  expect((await readGivenFile(pipe, 10, "any")).toString()).toBe("0123456789");
  await writing;
  await expect(readGivenFile("/dev/zero", 10, "any")).rejects.toThrow("it has more than 10 bytes");
  await expect(readGivenFile(join(smallFiles, "none"), 10, "any")).rejects.toThrow(
    "it does not exist",
  );
});
