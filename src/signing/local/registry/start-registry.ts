import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Listener, startService, type Service } from "../../../local-service/service";
import { BlobStore } from "./blob-store";
import { ManifestStore } from "./manifest-store";
import { OpenUploads, type UploadLimits } from "./open-uploads";
import { AccessCheck, type RegistryAccess } from "./registry-access";
import { registryListener } from "./registry-router";

/** The settings of a local registry. */
interface RegistrySettings {
  /** Folder for all data; created if it does not exist. Only one registry can use it at a time. */
  readonly folder: string;
  /** @default 0: any free port */
  readonly port?: number | undefined;
  /**
   * Whether to implement the referrers API. Without it, clients use the fallback tag.
   *
   * @default true
   */
  readonly referrersApi?: boolean | undefined;
  /** @default anonymous clients may read and write */
  readonly access?: RegistryAccess | undefined;
  /** @default 16 GiB */
  readonly maxBlobBytes?: number | undefined;
  readonly uploads?: UploadLimits | undefined;
  /** @default 4 MiB */
  readonly maxManifestBytes?: number | undefined;
  /** The clock for the expiry of tokens and uploads. @default the system time */
  readonly now?: (() => Date) | undefined;
  /** Receives a line for each change. */
  readonly log?: ((line: string) => void) | undefined;
}

/** Starts an image registry (OCI distribution 1.1) on the loopback interface. */
export async function startRegistry(settings: RegistrySettings): Promise<Service> {
  let listener: Promise<Listener> | undefined;
  // After the port is bound: another registry that has it may be using the folder.
  const open = () => (listener ??= openRegistry(settings));
  return startService(async (request, response) => (await open())(request, response), {
    port: settings.port,
  });
}

/** Opens the folder of a registry, and returns what serves it. */
export async function openRegistry(settings: Omit<RegistrySettings, "port">): Promise<Listener> {
  const { folder, access, log = () => undefined, now = () => new Date() } = settings;
  const { maxBlobBytes = 16 * 2 ** 30 } = settings;
  const uploadFolder = join(folder, "uploads");
  // Uploads that a crash interrupted cannot be continued.
  await rm(uploadFolder, { recursive: true, force: true });
  const blobs = new BlobStore(folder);
  const registry = {
    blobs,
    manifests: new ManifestStore(folder, blobs),
    uploads: new OpenUploads(uploadFolder, maxBlobBytes, settings.uploads ?? {}, () =>
      now().getTime(),
    ),
    referrersApi: settings.referrersApi ?? true,
    maxManifestBytes: settings.maxManifestBytes ?? 4 * 2 ** 20,
    log,
  };
  const check = access === undefined ? undefined : new AccessCheck(access, () => now().getTime());
  return registryListener(registry, check);
}
