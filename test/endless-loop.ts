/** An endless loop for a user's code that blocks its thread, and leaves the processor to the other tests. */
export const endlessLoop =
  "for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);";
