import { join } from "node:path";
import type { Listener } from "../../local-service/service";
import type { BoundServices } from "./bind-services";
import { openAuthorityChain } from "./certificate/authority-chain";
import { authorityListener } from "./certificate-authority/authority-listener";
import { CertificateAuthority } from "./certificate-authority/certificate-authority";
import { CtLog } from "./certificate-authority/ct-log";
import { NoteKey } from "./keys/note-key";
import { SigningKey } from "./keys/signing-key";
import type { LocalSigningSettings } from "./local-signing";
import { Journal } from "./merkle/journal";
import type { ServiceName } from "./ports";
import { openRegistry } from "./registry/start-registry";
import { timestampListener } from "./timestamp/timestamp-listener";
import { issuerListener } from "./token-issuer/issuer-listener";
import { TokenIssuer } from "./token-issuer/token-issuer";
import { logListener } from "./transparency-log/log-listener";
import { TiledLog } from "./transparency-log/tiled-log";
import { isForTiledLog, tiledLogListener } from "./transparency-log/tiled-log-listener";
import { TransparencyLog } from "./transparency-log/transparency-log";
import type { TrustedParts } from "./trusted-root";

// The host of the log's URL, without the port: verifiers compare it with the name in checkpoints.
const checkpointName = "127.0.0.1";

/** What serves the requests, and what verifiers must know about it. */
interface OpenServices {
  readonly listeners: Readonly<Record<ServiceName, Listener>>;
  readonly issuer: TokenIssuer;
  readonly trusted: Omit<TrustedParts, "addresses">;
  /** Resolves when everything is written. */
  readonly settled: () => Promise<void>;
}

/** Opens the keys, logs and images of a folder. Creates those that do not exist. */
export async function openServices(
  folder: string,
  services: BoundServices["services"],
  { referrersApi, registryAccess, ...settings }: LocalSigningSettings,
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
  const registry = { folder: path("registry"), referrersApi, access: registryAccess, now, log };
  const issuer = new TokenIssuer(services.tokenIssuer.url, issuerKey, now);
  const ctLog = new CtLog(ctKey, leaves.journal, leaves.lines, now);
  const authority = new CertificateAuthority(certificateAuthority, ctLog, now);
  const rules = () => ({
    issuer: issuer.address,
    audience: "sigstore",
    keySet: issuer.keySet(),
    now: now(),
  });
  const { journal, lines } = entries;
  const serveLog = logListener(
    new TransparencyLog(logKey, checkpointName, journal, lines, now),
    log,
  );
  const tiled = new TiledLog(noteKey, tiledEntries.journal, tiledEntries.lines);
  const serveTiledLog = tiledLogListener(tiled, log);
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
    trusted: {
      certificateAuthority,
      timestampAuthority,
      ctLog: ctKey,
      transparencyLog: logKey,
      tiledLog: noteKey,
    },
    settled: async () => {
      await Promise.all([leaves, entries, tiledEntries].map((each) => each.journal.settled()));
    },
  };
}
