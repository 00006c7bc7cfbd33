import type { LocalRequest } from "../../../src/ids/local/rpc/call";
import type { LocalIdsSettings } from "../../../src/ids/local/local-ids";

/** Settings of a service whose operations take ten seconds of a time that stands still. */
export interface SlowService {
  readonly settings: LocalIdsSettings;
  /** From now on every look at the clock is ten seconds after the one before. */
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

/** Whether a provider asks how an operation is getting on. */
export function isPoll({ path }: LocalRequest): boolean {
  return path.includes("/operations/");
}
