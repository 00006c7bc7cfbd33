import { gzipSync } from "node:zlib";

const block = 512;

/** A tar archive with some files, compressed, as npm packages are. */
export function tarball(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    return [header(name, content.byteLength), content, padding(content.byteLength)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]));
}

const padding = (size: number): Buffer => Buffer.alloc((block - (size % block)) % block);

function header(name: string, size: number): Buffer {
  const made = Buffer.alloc(block);
  const octal = (value: number, digits: number): string =>
    `${value.toString(8).padStart(digits, "0")}\0`;
  made.write(name, 0);
  made.write(octal(0o755, 7), 100);
  made.write(octal(size, 11), 124);
  made.write(octal(0, 11), 136);
  made.write(" ".repeat(8), 148);
  made.write("0", 156);
  made.write("ustar\x0000", 257);
  const sum = made.reduce((total, byte) => total + byte, 0);
  made.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return made;
}
