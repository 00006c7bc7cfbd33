import dns from "node:dns";
import type { LookupFunction } from "node:net";
import { isLoopbackHost } from "../schema";

const isLocalhostName = (host: string): boolean => /^(?:[^.]+\.)*localhost\.?$/i.test(host);

/**
 * Checks whether connections to a host of a URL stay on this machine. The names `localhost` and those below it are never
 * looked up, see {@link loopbackLookup}, so no resolver can lead them elsewhere.
 */
export const goesToLoopback = (host: string): boolean =>
  isLoopbackHost(host) || isLocalhostName(host);

/**
 * Resolves `localhost` and the names below it to this machine without asking a resolver, and other names as
 * usual.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */
export const loopbackLookup: LookupFunction = (host, options, callback) => {
  if (!isLocalhostName(host)) {
    dns.lookup(host, options, callback);
    return;
  }
  const isWanted = ({ family }: dns.LookupAddress): boolean =>
    [0, undefined, family, `IPv${family}`].includes(options.family);
  const found = loopback.filter(isWanted);
  process.nextTick(() => {
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address ?? "127.0.0.1", found[0]?.family ?? 4);
  });
};

const loopback: readonly dns.LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];
