import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeAfterTest } from "../../../http/close-after-test";
import { onPath, skippedWithout } from "../../../../on-path";
import { startFront } from "./front";
import { openDistribution, openRegistry, startedRegistry } from "./registries";

const programs = {
  "docker-registry": onPath("docker-registry"),
  distribution: onPath("distribution3", "distribution"),
  zot: onPath("zot"),
} as const;

type OutsideRegistry = keyof typeof programs;

/** A registry that somebody else wrote, or the local one. */
export type NamedRegistry = OutsideRegistry | "trivet local signing";

const outside: readonly OutsideRegistry[] = ["docker-registry", "distribution", "zot"];
const found = outside.filter((name) => programs[name] !== undefined);

/** The local registry, and those of the others that are on `PATH`. */
export const namedRegistries: readonly NamedRegistry[] = ["trivet local signing", ...found];

const missing = outside.filter((name) => !found.includes(name));
skippedWithout(missing, "nothing is tried with a registry");

/** Starts a registry until the end of the test; returns its host. */
export async function openNamedRegistry(name: NamedRegistry, deletes = true): Promise<string> {
  if (name === "trivet local signing") {
    const host = await openRegistry("ours");
    return deletes ? host : (await startFront(`http://${host}`, refuseDeletes)).host;
  }
  const folder = mkdtempSync(join(tmpdir(), "trivet-registry-"));
  closeAfterTest(() => rmSync(folder, { recursive: true, force: true }));
  const program = programs[name] ?? name;
  if (name !== "zot") return openDistribution(program, folder, deletes);
  const allowed = ["read", "create", "update", ...(deletes ? ["delete"] : [])];
  const file = join(folder, "zot.json");
  const settings = {
    distSpecVersion: "1.1.1",
    storage: { rootDirectory: join(folder, "data") },
    http: {
      address: "127.0.0.1",
      port: "0",
      accessControl: { repositories: { "**": { anonymousPolicy: allowed } } },
    },
    log: { level: "info" },
  };
  writeFileSync(file, JSON.stringify(settings));
  return startedRegistry(program, ["serve", file], /kernel chosen port","port":(\d+)/);
}

const refuseDeletes = ({ method }: { readonly method: string }) =>
  method === "DELETE"
    ? { status: 405, body: '{"errors":[{"code":"UNSUPPORTED","message":"no"}]}' }
    : undefined;
