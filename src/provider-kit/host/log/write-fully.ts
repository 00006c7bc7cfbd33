import { writeSync } from "node:fs";

import { systemErrorCode } from "../../../process/system-error";

/** Limits the wait for a reader that never empties its pipe. */
const maxWaitMs = 2000;
const pauseMs = 1;

/**
 * Writes a string to a file descriptor, synchronously and completely.
 *
 * Waits while a non-blocking pipe is full (EAGAIN).
 *
 * @throws the system's error when the other end is closed (EPIPE) or the pipe stays full for 2
 * seconds
 */
export function writeFully(descriptor: number, text: string, write = writeSync): void {
  const bytes = Buffer.from(text);
  let offset = 0;
  let waitedMs = 0;
  while (offset < bytes.byteLength) {
    try {
      offset += write(descriptor, bytes, offset);
    } catch (error) {
      if (systemErrorCode(error) !== "EAGAIN" || waitedMs >= maxWaitMs) throw error;
      waitedMs += pauseMs;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
