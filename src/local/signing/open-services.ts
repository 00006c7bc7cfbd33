import { join } from "node:path";
import type { Listener, Service } from "../service/service";
import type { PerService } from "./bind-services";
import { openAuthorityChain } from "./certificate/authority-chain";
import {
  authorityListener,
  CertificateAuthority,
} from "./certificate-authority/certificate-authority";
import { CtLog } from "./certificate-authority/ct-log";
import { NoteKey, SigningKey } from "./keys/signing-key";
import type { LocalSigningSettings, StoredContent } from "./local-signing";
import { Journal } from "./merkle/journal";
import { storedImages } from "./registry/stored-images";
import { openRegistry } from "./registry/start-registry";
import { timestampListener } from "./timestamp/timestamp";
import { issuerListener, TokenIssuer } from "./token-issuer";
import { logListener } from "./transparency-log/log-listener";
import { TiledLog } from "./transparency-log/tiled-log";
import { isForTiledLog, tiledLogListener } from "./transparency-log/tiled-log-listener";
import { TransparencyLog } from "./transparency-log/transparency-log";
import type { TrustedParts } from "./local-files";

// The host of the log's URL, without the port: verifiers compare it with the name in checkpoints.
const checkpointName = "127.0.0.1";

interface OpenServices {
  readonly listeners: PerService<Listener>;
  readonly issuer: TokenIssuer;
  readonly stored: StoredContent;
  readonly trusted: Omit<TrustedParts, "addresses">;
  readonly settled: () => Promise<void>;
}

/** Opens the keys, logs and images of a folder. Creates those that do not exist. */
export async function openServices(
  folder: string,
  services: PerService<Service>,
  { referrersApi, quirks, registryAccess, ...settings }: LocalSigningSettings,
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
  const places = { folder: path("registry"), access: registryAccess };
  const registry = { ...places, referrersApi, quirks, now, log };
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
      certificateAuthority: authorityListener({ authority, rules, log }),
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
