import { connect, createServer, type Server, type Socket } from "node:net";
import { VirtualClock } from "../../http/virtual-clock";
import { closeAfterTest } from "../../http/close-after-test";

/** A registry's address that goes away and comes back, as when the registry is restarted. */
interface RestartedRegistry {
  readonly host: string;
  /** Breaks all connections and refuses new ones for a while, by the clock. */
  readonly restart: (awayMs: number) => Promise<void>;
  /** Restarts as soon as so many more bytes have gone through. */
  readonly restartAfter: (bytes: number, awayMs: number) => void;
  /** How often it was restarted. */
  readonly restarts: () => number;
}

/** Time passes only in waits. Whoever is away by this clock is back before the wait ends. */
export class WaitingClock extends VirtualClock {
  readonly #returns: { at: number; run: () => Promise<void> }[] = [];

  override async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await super.sleep(ms, signal);
    for (const each of this.#returns.splice(0)) {
      if (each.at <= this.now()) await each.run();
      else this.#returns.push(each);
    }
  }

  after(ms: number, run: () => Promise<void>): void {
    this.#returns.push({ at: this.now() + ms, run });
  }
}

/** Starts an address in front of a registry. */
export async function startRestarted(
  registry: string,
  clock: WaitingClock,
): Promise<RestartedRegistry> {
  const target = new URL(`http://${registry}`);
  const open = new Set<Socket>();
  let left: { bytes: number; awayMs: number } | undefined;
  let port = 0;
  let restarts = 0;
  let server: Server | undefined;

  const listen = async (): Promise<void> => {
    const next = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(from);
        from.on("error", () => to.destroy()).on("close", () => to.destroy());
        from.on("data", (chunk) => {
          if (left !== undefined && (left.bytes -= chunk.byteLength) < 0) {
            const { awayMs } = left;
            left = undefined;
            void restart(awayMs);
          } else if (!to.destroyed) to.write(chunk);
        });
      }
    });
    await new Promise<void>((resolve) => next.listen(port, "127.0.0.1", resolve));
    const address = next.address();
    port = typeof address === "object" && address !== null ? address.port : port;
    server = next;
  };
  const stop = async (): Promise<void> => {
    const last = server;
    server = undefined;
    const closed = new Promise((resolve) => (last ? last.close(resolve) : resolve(undefined)));
    for (const socket of open) socket.resetAndDestroy();
    open.clear();
    await closed;
  };
  const restart = async (awayMs: number): Promise<void> => {
    restarts++;
    clock.after(awayMs, listen);
    await stop();
  };
  await listen();
  closeAfterTest(stop);
  return {
    host: `127.0.0.1:${port}`,
    restart,
    restartAfter: (bytes, awayMs) => {
      left = { bytes, awayMs };
    },
    restarts: () => restarts,
  };
}
