/** The types of frames. */
export const FrameType = {
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** The flags of frames. */
export const FrameFlag = {
  acknowledges: 1,
  endStream: 1,
  endHeaders: 4,
  padded: 8,
  priority: 0x20,
} as const;

export const frameHeaderBytes = 9;

/** The window that an end permits until it says otherwise, of a stream and of the connection. */
export const defaultWindow = 65_535;

/** The longest frame that an end accepts until it says otherwise, and the smallest limit that it can set. */
export const defaultFrameBytes = 16_384;

/** Writes the header of a frame. */
export function putFrameHeader(
  to: Buffer,
  at: number,
  length: number,
  type: number,
  flags: number,
  stream: number,
): void {
  to[at] = length >>> 16;
  to[at + 1] = length >>> 8;
  to[at + 2] = length;
  to[at + 3] = type;
  to[at + 4] = flags;
  putUint32(to, at + 5, stream);
}

/** Writes 32 bits. */
export function putUint32(to: Buffer, at: number, value: number): void {
  to[at] = value >>> 24;
  to[at + 1] = value >>> 16;
  to[at + 2] = value >>> 8;
  to[at + 3] = value;
}

/** Reads 31 bits: the first bit is reserved. */
export function readUint31(from: Buffer, at: number): number {
  return (
    (((from[at] ?? 0) & 0x7f) << 24) |
    ((from[at + 1] ?? 0) << 16) |
    ((from[at + 2] ?? 0) << 8) |
    (from[at + 3] ?? 0)
  );
}

/** Reads the length of a frame. */
export function readUint24(from: Buffer, at: number): number {
  return ((from[at] ?? 0) << 16) | ((from[at + 1] ?? 0) << 8) | (from[at + 2] ?? 0);
}
