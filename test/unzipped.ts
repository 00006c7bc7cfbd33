import { inflateRawSync } from "node:zlib";

const localHeader = Buffer.from("PK\u0003\u0004", "latin1");
const deflated = 8;

/** The contents of the files in a zip file, such as a plan of Terraform; none for any other file. */
export function unzipped(bytes: Buffer): Buffer[] {
  const contents: Buffer[] = [];
  let at = bytes.indexOf(localHeader);
  if (at !== 0) return contents;
  while (at >= 0) {
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    if (bytes.readUInt16LE(at + 8) === deflated)
      contents.push(inflateRawSync(bytes.subarray(start)));
    at = bytes.indexOf(localHeader, start);
  }
  return contents;
}
