// @ts-check

const BLOCK = 512;

/** @typedef {{ path: string, content: Buffer, mode?: number }} TarFile */

/**
 * A tar archive (POSIX ustar): the same files always make the same bytes.
 *
 * @param {readonly TarFile[]} files paths of at most 100 bytes
 * @returns {Buffer}
 */
export function tar(files) {
  const parts = files.flatMap(({ path, content, mode = 0o644 }) => [
    header(path, content.length, mode),
    content,
    Buffer.alloc(-content.length & (BLOCK - 1)),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/**
 * @param {string} path
 * @param {number} size
 * @param {number} mode
 */
function header(path, size, mode) {
  if (Buffer.byteLength(path) > 100) throw new Error(`too long a path for the image: ${path}`);
  const block = Buffer.alloc(BLOCK);
  /** @type {(number: number, offset: number, length: number) => void} */
  const octal = (number, offset, length) => {
    block.write(`${number.toString(8).padStart(length - 1, "0")}\0`, offset, "latin1");
  };
  block.write(path, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.write("0", 156);
  block.write("ustar\x0000", 257, "latin1");
  // The sum counts its own field as spaces.
  block.fill(" ", 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}
