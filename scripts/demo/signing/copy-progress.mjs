// @ts-check
import { open } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

const POLL_MS = 100;

/**
 * Terraform shows only "still creating" during a copy. The progress is in the provider's log, which this
 * reads while it is written.
 *
 * @param {string} file `TF_LOG_PATH` of a run with `TF_LOG_PROVIDER=INFO`
 * @param {(bytes: number) => void} onBlob how much has been sent so far, after each blob
 * @returns {{ stop: () => Promise<void> }}
 */
export function followCopy(file, onBlob) {
  let position = 0;
  let rest = "";
  let ended = false;
  const following = follow();
  return {
    stop: async () => {
      ended = true;
      await following;
    },
  };

  async function follow() {
    for (let isLast = false; !isLast;) {
      isLast = ended;
      await readOn();
      if (!isLast) await wait(POLL_MS);
    }
  }

  async function readOn() {
    const handle = await open(file).catch(() => undefined);
    if (handle === undefined) return;
    try {
      const bytes = Buffer.alloc((await handle.stat()).size - position);
      position += (await handle.read(bytes, 0, bytes.length, position)).bytesRead;
      const lines = (rest + bytes.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        // Terraform writes large numbers as "1.0002749e+07".
        const sent = /: blob sha256:\w+ is sent.*\bsentBytes="?([\d.e+]+)/.exec(line)?.[1];
        if (sent !== undefined) onBlob(Number(sent));
      }
    } finally {
      await handle.close();
    }
  }
}
