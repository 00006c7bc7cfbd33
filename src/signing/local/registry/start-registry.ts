import { rm } from "node:fs/promises";
import { join } from "node:path";
import { startService, type Service } from "../../../local-service/service";
import { BlobStore } from "./blob-store";
import { ManifestStore } from "./manifest-store";
import { AccessCheck, type RegistryAccess } from "./registry-access";
import { registryListener } from "./registry-router";

export interface RegistrySettings {
  /** Where everything is kept; made when absent. One registry at a time uses it. */
  readonly folder: string;
  /** @default 0, any free one */
  readonly port?: number | undefined;
  /**
   * Whether it lists referrers itself; without, clients keep a list under a tag.
   * @default true
   */
  readonly referrersApi?: boolean | undefined;
  /** @default everyone may do everything */
  readonly access?: RegistryAccess | undefined;
  /** @default 16 GiB */
  readonly maxBlobBytes?: number | undefined;
  /** @default 4 MiB */
  readonly maxManifestBytes?: number | undefined;
  /** The time by which tokens expire. @default the system's */
  readonly now?: (() => Date) | undefined;
  /** Gets a line for each change. */
  readonly log?: ((line: string) => void) | undefined;
}

/** Starts an image registry (OCI distribution 1.1) on the loopback interface. */
export async function startRegistry(settings: RegistrySettings): Promise<Service> {
  const { folder, access, log = () => undefined, now = () => new Date() } = settings;
  const uploadFolder = join(folder, "uploads");
  // Nobody knows the addresses of uploads that a crash has cut off.
  await rm(uploadFolder, { recursive: true, force: true });
  const blobs = new BlobStore(folder);
  const registry = {
    blobs,
    manifests: new ManifestStore(folder, blobs),
    uploads: new Map(),
    uploadFolder,
    referrersApi: settings.referrersApi ?? true,
    maxBlobBytes: settings.maxBlobBytes ?? 16 * 2 ** 30,
    maxManifestBytes: settings.maxManifestBytes ?? 4 * 2 ** 20,
    log,
  };
  const check = access === undefined ? undefined : new AccessCheck(access, () => now().getTime());
  return startService(registryListener(registry, check), { port: settings.port });
}
