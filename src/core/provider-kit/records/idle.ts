import { channel, subscribe } from "node:diagnostics_channel";

// A channel of Node.js, because the host loads nothing of the provider before the handshake.
const name = "trivet.provider-kit.idle";

/** Announces in this process, which serves several commands, that none of them is connected. */
export function announceIdle(): void {
  channel(name).publish(undefined);
}

/** Calls the listener whenever no command is connected any more. */
export function onIdle(listener: () => void): void {
  subscribe(name, listener);
}
