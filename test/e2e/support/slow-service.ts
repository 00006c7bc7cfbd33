import type { LocalRequest } from "../../../src/local/ids/rpc/call";
import type { LocalIdsSettings } from "../../../src/local/ids/local-ids";

/** Settings of a service whose operations take ten seconds of a clock that does not advance. */
interface SlowService {
  readonly settings: LocalIdsSettings;
  /** From now on, the clock advances by ten seconds each time it is read. */
  readonly hurry: () => void;
}

export function slowService(): SlowService {
  const clock = { time: Date.parse("2026-03-01T12:00:00Z"), step: 0 };
  return {
    settings: { clock: { now: () => (clock.time += clock.step) }, operationDurationMs: 10_000 },
    hurry: () => {
      clock.step = 10_000;
    },
  };
}

/** Whether a request polls an operation. */
export function isPoll({ path }: LocalRequest): boolean {
  return path.includes("/operations/");
}
