import type { Clock } from "../../../src/core/http/call-context";

/** A clock that advances only during a sleep, and then immediately. */
export class VirtualClock implements Clock {
  readonly sleeps: number[] = [];
  /** Called before a sleep ends. Aborting the signal here interrupts it. */
  onSleep: ((ms: number) => void) | undefined;
  #time = Date.parse("2026-03-01T12:00:00Z");
  readonly #appointments = new Set<{ at: number; callback: () => void }>();

  now(): number {
    return this.#time;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.sleeps.push(ms);
    this.onSleep?.(ms);
    if (signal.aborted) return Promise.reject(new Error("interrupted"));
    this.advance(ms);
    return Promise.resolve();
  }

  schedule(ms: number, callback: () => void): () => void {
    const appointment = { at: this.#time + ms, callback };
    this.#appointments.add(appointment);
    return () => this.#appointments.delete(appointment);
  }

  advance(ms: number): void {
    this.#time += ms;
    for (const appointment of [...this.#appointments]) {
      if (appointment.at > this.#time) continue;
      this.#appointments.delete(appointment);
      appointment.callback();
    }
  }
}
