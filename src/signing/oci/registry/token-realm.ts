import { networkZone } from "../../../http/network-zone";

/**
 * The token service that a registry names, or why credentials do not go there, as a sentence: only to
 * https, or to the loopback for a registry on the loopback; and never from a public registry into a network
 * that it cannot see itself.
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
  if (realm.username !== "" || realm.password !== "") return { problem: "holds credentials" };
  realm.hash = "";
  const [from, to] = [networkZone(registry.hostname), networkZone(realm.hostname)];
  const host = realm.host;
  if (to === "link-local") return { problem: `leads to the link-local address ${host}` };
  if (to === "loopback" && from !== "loopback")
    return { problem: `leads to this machine (${host})` };
  if (to === "private" && from === "public") {
    return { problem: `leads from a public registry to the private address ${host}` };
  }
  if (realm.protocol === "https:") return { realm };
  if (realm.protocol !== "http:")
    return { problem: `has the scheme ${realm.protocol.slice(0, -1)}` };
  if (to === "loopback" && registry.protocol === "http:") return { realm };
  // The registry itself speaks plain http, which the user has allowed for this very host.
  if (registry.protocol === "http:" && realm.host === registry.host) return { realm };
  return { problem: `leads to plain http at ${host}, where credentials would be seen` };
}
