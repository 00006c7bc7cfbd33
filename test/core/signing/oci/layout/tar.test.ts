import { execFileSync } from "node:child_process";
import { mkdirSync, promises as files, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  tarEnd,
  tarEntries,
  tarHeader,
  tarPadding,
} from "../../../../../src/core/signing/oci/layout/tar";
import { newFolder } from "./layouts";

async function entriesOf(path: string, check: () => void = () => undefined) {
  const file = await files.open(path);
  try {
    return await tarEntries(file, (await file.stat()).size, check);
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
  ["something else", Buffer.alloc(600, "x"), "is not a tar archive"],
  ["cut off", Buffer.concat([tarHeader("a", 5000), Buffer.alloc(600)]), "in the middle of a file"],
])("an archive that is %s is refused", async (_, bytes, problem) => {
  const path = join(newFolder(), "a.tar");
  writeFileSync(path, bytes);
  await expect(entriesOf(path)).rejects.toThrow(problem);
});

/** A header with another text in its field for the size, and a checksum that is right. */
function headerWith(size: string, name = "a"): Buffer {
  const header = tarHeader(name, 0);
  header.fill(0, 124, 136).write(size, 124, "latin1");
  return summed(header);
}

/** Writes the checksum. */
function summed(header: Buffer): Buffer {
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

/** An extended header with these records, and the file that it is about. */
function extended(records: string): Buffer {
  const header = tarHeader("pax", Buffer.byteLength(records));
  header.write("x", 156);
  const content = Buffer.from(records);
  const padding = tarPadding(content.byteLength);
  return Buffer.concat([summed(header), content, padding, tarHeader("a", 0)]);
}

/** A record with its length in front, of two digits for these. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  return rest.length < 9 ? `${rest.length + 1}${rest}` : `${rest.length + 2}${rest}`;
}

const oddNumbers = ["-1536", "-0000001000", "+16", "0x10", "1e3", "1.5", "1_0", "16a", "NaN"];

test.each([
  ...[...oddNumbers, "19", "1 6", "1\x006"].map((size) => [size, headerWith(size)] as const),
  ...[...oddNumbers, "", " 16", "16 ", "9".repeat(30)].map(
    (size) => [`${size} in an extended header`, extended(record("size", size))] as const,
  ),
  ...[
    "0 size=1\n",
    "-9 size=1\n",
    "9size=16\n",
    "99 size=16\n",
    "10 size=16x",
    "1e1 size=16\n",
  ].map((records) => [JSON.stringify(records), extended(records)] as const),
])("the size %s is refused at once", async (_, bytes) => {
  const path = join(newFolder(), "a.tar");
  writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(1024)]));
  let headers = 0;
  const reading = entriesOf(path, () => {
    headers++;
  });
  await expect(reading).rejects.toThrow(/malformed (?:number|record)/);
  expect(headers).toBeLessThan(4);
});

test("numbers are read as other programs write them", async () => {
  const path = join(newFolder(), "a.tar");
  const sizes = ["00000000020\0", "20", " 20 ", "         20\0", ""];
  const parts = sizes.flatMap((size, index) => [
    headerWith(size, String(index)),
    size === "" ? Buffer.alloc(0) : Buffer.alloc(512, "x"),
  ]);
  writeFileSync(path, Buffer.concat([...parts, tarEnd]));
  const found = [...(await entriesOf(path)).values()].map(({ size }) => size);
  expect(found).toEqual([16, 16, 16, 16, 0]);
  expect(execFileSync("tar", ["-tf", path], { encoding: "utf8" }).trim()).toBe("0\n1\n2\n3\n4");
});

test("reading ends with the call, however many files there are", async () => {
  const path = join(newFolder(), "a.tar");
  writeFileSync(path, Buffer.concat(Array.from({ length: 2000 }, () => tarHeader("a", 0))));
  let headers = 0;
  const reading = entriesOf(path, () => {
    if (++headers > 10) throw new Error("the call has ended");
  });
  await expect(reading).rejects.toThrow("the call has ended");
});
