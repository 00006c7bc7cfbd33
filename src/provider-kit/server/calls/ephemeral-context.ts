import type { EphemeralContext } from "../ephemeral-implementation";
import type { HandlerCall } from "./operation-context";

/** The seconds and nanoseconds since the epoch. */
interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

/** What a call of an ephemeral resource passes to its handler, and what the handler asks for. */
export class EphemeralCall<Client> {
  readonly context: EphemeralContext<Client>;
  #renewAt: Date | undefined;

  /** @param renews whether there is a handler that renews */
  constructor(call: HandlerCall<Client>, renews: boolean) {
    const { session, compiled, privateState } = call;
    const renewAt = (time: Date): void => {
      if (!renews) {
        throw new Error(
          `${compiled.declaration.type} has no renew handler, but asks for a renewal`,
        );
      }
      if (Number.isNaN(time.getTime())) throw new Error("the time of the renewal is not a date");
      this.#renewAt = time;
    };
    this.context = session.context(call, { privateState, renewAt });
  }

  /** The part of the response that asks for a renewal. */
  get renewal(): { readonly renewAt?: Timestamp } {
    if (this.#renewAt === undefined) return {};
    const ms = this.#renewAt.getTime();
    const seconds = Math.floor(ms / 1000);
    return { renewAt: { seconds, nanos: (ms - seconds * 1000) * 1_000_000 } };
  }
}
