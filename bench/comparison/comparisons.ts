import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import type { Comparison } from "./comparison";
import { ids } from "./ids";
import { signing } from "./signing";
import { workspace } from "./workspace";

/** The configurations to compare, one for each provider. */
export const comparisons: readonly Comparison[] = [ids, workspace, signing];

/** The names that `--peer` accepts. */
export const peerNames: readonly string[] = comparisons.map(({ peer }) => peer.name);

/**
 * Reads the values of `--peer`.
 *
 * @returns the executables of the peers, by name
 * @throws Error if a name is unknown, or if a file is no program
 */
export function readPeers(values: readonly string[]): ReadonlyMap<string, string> {
  const peers = new Map<string, string>();
  for (const value of values) {
    const [, name = "", path = ""] = /^([^=]*)=(.+)$/.exec(value) ?? [];
    if (path === "") {
      throw new Error(`--peer must be NAME=PATH (got "${value}")`);
    }
    if (!peerNames.includes(name)) {
      throw new Error(`--peer: unknown peer "${name}"; the peers are ${peerNames.join(", ")}`);
    }
    if (peers.has(name)) throw new Error(`--peer: "${name}" is there twice`);
    peers.set(name, executable(path));
  }
  return peers;
}

function executable(path: string): string {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new Error(`--peer: "${path}" is not an executable file`);
  }
  return resolve(path);
}
