import { execFileSync } from "node:child_process";
import { mkdirSync, promises as files, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tarEnd, tarEntries, tarHeader, tarPadding } from "../../../../src/signing/oci/layout/tar";
import { newFolder } from "./layouts";

async function entriesOf(path: string) {
  const file = await files.open(path);
  try {
    return await tarEntries(file, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

const longName = `blobs/sha512/${"a".repeat(128)}`;

function folderWithFiles(): string {
  const folder = newFolder();
  for (const name of ["oci-layout", longName, "blobs/sha256/empty"]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name.endsWith("empty") ? "" : `content of ${name}`);
  }
  return folder;
}

test.each(["ustar", "pax", "gnu", "v7"])(
  "what tar writes in the format %s is found",
  async (format) => {
    const folder = folderWithFiles();
    const path = join(newFolder(), "a.tar");
    const names = format === "ustar" || format === "v7" ? ["oci-layout", "./blobs/sha256"] : ["."];
    execFileSync("tar", ["--format", format, "-cf", path, "-C", folder, ...names]);
    const entries = await entriesOf(path);
    const bytes = readFileSync(path);
    const textOf = (name: string) => {
      const { offset = 0, size = 0 } = entries.get(name) ?? {};
      return bytes.toString("utf8", offset, offset + size);
    };
    expect(textOf("oci-layout")).toBe("content of oci-layout");
    expect(entries.get("blobs/sha256/empty")?.size).toBe(0);
    if (names[0] === ".") expect(textOf(longName)).toBe(`content of ${longName}`);
  },
);

test("tar reads what is written, with long names", async () => {
  const path = join(newFolder(), "a.tar");
  const contents = { "oci-layout": "{}", [longName]: "x".repeat(1000) };
  const parts = Object.entries(contents).flatMap(([name, text]) => [
    tarHeader(name, text.length),
    Buffer.from(text),
    tarPadding(text.length),
  ]);
  writeFileSync(path, Buffer.concat([...parts, tarEnd]));
  const names = execFileSync("tar", ["-tf", path], { encoding: "utf8" }).trim().split("\n");
  expect(names).toEqual(Object.keys(contents));
  const text = execFileSync("tar", ["-xOf", path, longName], { encoding: "utf8" });
  expect(text).toBe(contents[longName]);
  expect([...(await entriesOf(path)).keys()]).toEqual(Object.keys(contents));
});

test("a file of more than 8 GiB has its size in an extended header", async () => {
  const path = join(newFolder(), "a.tar");
  const size = 9 * 1024 ** 3;
  const file = await files.open(path, "wx+");
  const header = tarHeader("large", size);
  await file.write(header, 0, header.byteLength, 0);
  // Sparse: nothing is written in between.
  await file.write(tarEnd, 0, tarEnd.byteLength, header.byteLength + size);
  await file.close();
  expect((await entriesOf(path)).get("large")).toEqual({ offset: header.byteLength, size });
  expect(execFileSync("tar", ["-tvf", path], { encoding: "utf8" })).toContain(String(size));
});

test.each([
  ["compressed", Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(600)]), "is compressed"],
  ["something else", Buffer.alloc(600, "x"), "is no tar archive"],
  ["cut off", Buffer.concat([tarHeader("a", 5000), Buffer.alloc(600)]), "in the middle of a file"],
])("an archive that is %s is refused", async (_, bytes, problem) => {
  const path = join(newFolder(), "a.tar");
  writeFileSync(path, bytes);
  await expect(entriesOf(path)).rejects.toThrow(problem);
});
