import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parsedJson } from "../../core/json/plain-json";
import { writeFileAtomically } from "../../core/process/files";
import { ifAbsent } from "../../core/process/system-error";
import { type Listener, type Service, startService } from "../service/service";
import {
  authorityListener,
  CertificateAuthority,
} from "./certificate-authority/certificate-authority";
import { CtLog } from "./certificate-authority/ct-log";
import { openAuthorityChain } from "./certificate/authority-chain";
import { NoteKey, SigningKey } from "./keys/signing-key";
import type { TrustedParts } from "./local-files";
import { Journal } from "./merkle/merkle-tree";
import { openRegistry } from "./registry/open-registry";
import type { QuirkName } from "./registry/quirks";
import { type StoredImage, storedImages } from "./registry/stored-images";
import { timestampListener } from "./timestamp/timestamp";
import { issuerListener, TokenIssuer } from "./token-issuer";
import { logListener, TransparencyLog } from "./transparency-log/transparency-log";
import { TiledLog, isForTiledLog, tiledLogListener } from "./transparency-log/tiled-log";

export interface LocalSigningSettings {
  /** Folder for keys, images, logs and the files for other tools; created if it does not exist. */
  readonly folder: string;
  /**
   * The registry's port; the other four services use the ports after it. 0 selects free ports.
   *
   * @default the ports of the folder's last run, or free ports
   */
  readonly port?: number | undefined;
  /** True if the registry implements the referrers API. @default true */
  readonly referrersApi?: boolean | undefined;
  /** How the registry differs from the specification. @default none */
  readonly quirks?: readonly QuirkName[] | undefined;
  /** Repository that gets a small sample image, such as `build/app`. @default none */
  readonly sampleImage?: string | undefined;
  /** Email address in the token in `files.identityToken`. @default "dev@example.com" */
  readonly email?: string | undefined;
  /** The time in certificates, logs and timestamps. @default the system time */
  readonly now?: (() => Date) | undefined;
  /** Receives a line for each request that changes something. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface StoredContent {
  /** The images in the registry, without signatures and other attached content. */
  images(): Promise<readonly StoredImage[]>;
  /** The transparency log of each version of the API. */
  readonly logs: Readonly<Record<"v1" | "v2", StoredLog>>;
}

interface StoredLog {
  size(): number;
  /** An entry with its proof, as the log's API returns it. */
  entry(index: number): unknown;
}

const serviceNames = [
  "registry",
  "certificateAuthority",
  "transparencyLog",
  "timestampAuthority",
  "tokenIssuer",
] as const;

type PerService<T> = Readonly<Record<(typeof serviceNames)[number], T>>;

/** Services that listen. Requests wait until there are listeners. */
export interface BoundServices {
  readonly services: PerService<Service>;
  /** Handles all requests, including waiting ones. */
  serve(listeners: PerService<Listener>): void;
  close(): Promise<void>;
}

/**
 * Listens on the ports of all services, or on none.
 *
 * @param ports as {@link choosePorts} returns them
 * @throws LocalServiceError if a port cannot be opened
 */
export async function bindServices(ports: readonly number[]): Promise<BoundServices> {
  let serve: BoundServices["serve"] = () => undefined;
  const listeners = new Promise<PerService<Listener>>((resolve) => {
    serve = resolve;
  });
  const bound: Service[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(bound.map((service) => service.close()));
  };
  const bind = async (name: keyof PerService<Service>): Promise<Service> => {
    const listener: Listener = async (request, response) =>
      (await listeners)[name](request, response);
    const service = await startService(listener, { port: ports[serviceNames.indexOf(name)] });
    bound.push(service);
    return service;
  };
  try {
    const services = {
      registry: await bind("registry"),
      certificateAuthority: await bind("certificateAuthority"),
      transparencyLog: await bind("transparencyLog"),
      timestampAuthority: await bind("timestampAuthority"),
      tokenIssuer: await bind("tokenIssuer"),
    };
    return { services, serve, close };
  } catch (failure) {
    await close();
    throw failure;
  }
}

/** Returns the requested ports, those of the folder's last run, or free ones (0). */
export async function choosePorts(
  file: string,
  first: number | undefined,
): Promise<readonly number[]> {
  if (first !== undefined) return serviceNames.map((_, index) => (first === 0 ? 0 : first + index));
  const saved = parsedJson((await readFile(file, "utf8").catch(ifAbsent)) ?? "[]");
  return Array.isArray(saved) ? saved.map(Number) : [];
}

/** Stores the ports for the next run: certificates contain the issuer's URL. */
export async function savePorts(file: string, services: PerService<Service>): Promise<void> {
  const list = serviceNames.map((name) => services[name].port);
  await writeFileAtomically(file, `${JSON.stringify(list)}\n`);
}

// The host of the log's URL, without the port. Verifiers compare it with the name in checkpoints.
const checkpointName = "127.0.0.1";

interface OpenServices {
  readonly listeners: PerService<Listener>;
  readonly issuer: TokenIssuer;
  readonly stored: StoredContent;
  readonly trusted: Omit<TrustedParts, "addresses">;
  readonly settled: () => Promise<void>;
}

export async function openServices(
  folder: string,
  services: PerService<Service>,
  { referrersApi, quirks, ...settings }: LocalSigningSettings,
): Promise<OpenServices> {
  const { now = () => new Date(), log = () => undefined } = settings;
  const path = (...parts: readonly string[]) => join(folder, ...parts);
  const openKey = (name: string) => SigningKey.open(path("keys", `${name}.pem`));
  const certificateAuthority = await openAuthorityChain(folder, "codeSigning", now());
  const timestampAuthority = await openAuthorityChain(folder, "timeStamping", now());
  const ctKey = await openKey("ct-log");
  const logKey = await openKey("transparency-log");
  const noteKey = await NoteKey.open(path("keys", "transparency-log-v2.pem"), checkpointName);
  const issuerKey = await openKey("token-issuer");
  const leaves = await Journal.open(path("certificate-log", "leaves"));
  const entries = await Journal.open(path("transparency-log", "entries.jsonl"));
  const tiledEntries = await Journal.open(path("transparency-log", "entries-v2"));
  const registry = { folder: path("registry"), referrersApi, quirks, now, log };
  const issuer = new TokenIssuer(services.tokenIssuer.url, issuerKey, now);
  const ctLog = new CtLog(ctKey, leaves, now);
  const authority = new CertificateAuthority(certificateAuthority, ctLog, now);
  const rules = () => ({
    issuer: issuer.address,
    audience: "sigstore",
    keySet: issuer.keySet(),
    now: now(),
  });
  const transparencyLog = new TransparencyLog(logKey, checkpointName, entries, now);
  const tiledLog = new TiledLog(noteKey, tiledEntries);
  const serveLog = logListener(transparencyLog, log);
  const serveTiledLog = tiledLogListener(tiledLog, log);
  return {
    listeners: {
      registry: await openRegistry(registry),
      certificateAuthority: authorityListener(authority, rules, log),
      transparencyLog: (request, response) =>
        (isForTiledLog(request) ? serveTiledLog : serveLog)(request, response),
      timestampAuthority: timestampListener(timestampAuthority, now),
      tokenIssuer: issuerListener(issuer, log),
    },
    issuer,
    stored: {
      images: () => storedImages(registry.folder),
      logs: {
        v1: { size: () => transparencyLog.size, entry: (index) => transparencyLog.find(index) },
        v2: { size: () => tiledLog.size, entry: (index) => tiledLog.entry(index) },
      },
    },
    trusted: {
      certificateAuthority,
      timestampAuthority,
      ctLog: ctKey,
      transparencyLog: logKey,
      tiledLog: noteKey,
    },
    settled: async () => {
      await Promise.all([leaves, entries, tiledEntries].map((each) => each.settled()));
    },
  };
}
