import { parsedJson, isRecord } from "../../core/json/plain-json";

/** Shorter waits are over before anyone wonders. */
const shownMs = 5_000;

/**
 * Reads a provider's log, and shows why the provider waits before it repeats a request. Terraform shows nothing of a
 * provider's log while it runs.
 *
 * @param show receives the reason for a wait
 */
export function waitReader(show: (reason: string) => void): (text: string) => void {
  let partial = "";
  return (text) => {
    const lines = `${partial}${text}`.split("\n");
    partial = lines.pop() ?? "";
    for (const line of lines) {
      const entry = line.includes('"waitMs":') ? parsedJson(line) : undefined;
      if (!isRecord(entry)) continue;
      const { "@message": reason, waitMs } = entry;
      if (typeof reason === "string" && typeof waitMs === "number" && waitMs >= shownMs) {
        show(reason);
      }
    }
  };
}
