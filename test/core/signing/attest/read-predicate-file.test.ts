import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readPredicateFile } from "../../../../src/core/signing/attest/prepare-statement";
import { temporaryFolder } from "../../../local/signing/local-services";

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");

async function file(content: string | Buffer): Promise<string> {
  const path = join(await temporaryFolder(), "predicate.json");
  await writeFile(path, content);
  return path;
}

it("reads the file with the hash, regardless of the case of its digits", async () => {
  const path = await file('{"a":"ü"}');
  const hash = sha256('{"a":"ü"}');
  expect(await readPredicateFile(path, hash)).toBe('{"a":"ü"}');
  expect(await readPredicateFile(path, hash.toUpperCase())).toBe('{"a":"ü"}');
});

it("names both hashes if the file differs", async () => {
  const path = await file("{}");
  const wanted = sha256("other");
  await expect(readPredicateFile(path, wanted)).rejects.toMatchObject({
    code: "PREDICATE_FILE",
    message: expect.stringMatching(new RegExp(`${sha256("{}")}.*${wanted}`)) as string,
  });
});

it("refuses a file that is missing, not regular, too large, or not text", async () => {
  const folder = await temporaryFolder();
  const large = await file("");
  await truncate(large, 32 * 1024 * 1024 + 1);
  const bytes = Buffer.of(0xff);
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const hash = sha256(bytes);
  await expect(readPredicateFile(join(folder, "none"), hash)).rejects.toThrow(/it does not exist/);
  for (const path of [folder, pipe, "/dev/zero"]) {
    await expect(readPredicateFile(path, hash)).rejects.toThrow(/is not a regular file/);
  }
  await expect(readPredicateFile(large, hash)).rejects.toThrow(/more than 33554432 bytes/);
  await expect(readPredicateFile(await file(bytes), hash)).rejects.toThrow(/not valid UTF-8/);
});
