import { goesToLoopback } from "../../../http/loopback-lookup";
import { networkZone } from "../../../http/network-zone";

/**
 * Parses the URL of a registry's token service, or reports why credentials are not sent there.
 *
 * Credentials are sent only over https, or over http on the loopback interface or to the registry's own
 * host. A public registry cannot redirect to a private or link-local address.
 *
 * @returns the URL, or a problem as the predicate of a sentence
 */
export function parseRealm(
  text: string,
  registry: URL,
): { readonly realm: URL } | { readonly problem: string } {
  let realm: URL;
  try {
    realm = new URL(text);
  } catch {
    return { problem: "is not a URL" };
  }
  if (realm.username !== "" || realm.password !== "") return { problem: "contains credentials" };
  realm.hash = "";
  const [from, to] = [networkZone(registry.hostname), networkZone(realm.hostname)];
  const host = realm.host;
  if (to === "link-local") return { problem: `points to the link-local address ${host}` };
  if (to === "loopback" && from !== "loopback")
    return { problem: `points to this machine (${host})` };
  if (to === "private" && from === "public") {
    return { problem: `points from a public registry to the private address ${host}` };
  }
  if (realm.protocol === "https:") return { realm };
  if (realm.protocol !== "http:")
    return { problem: `has the scheme ${realm.protocol.slice(0, -1)}` };
  if (goesToLoopback(realm.hostname) && registry.protocol === "http:") return { realm };
  // The registry itself uses plain http, which the user allowed for this host.
  if (registry.protocol === "http:" && realm.host === registry.host) return { realm };
  return { problem: `uses plain http at ${host}, which would expose credentials` };
}
