import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { writeFileAtomically } from "../../process/atomic-file";
import { openAuthorityChain } from "./certificate/authority-chain";
import { authorityListener } from "./certificate-authority/authority-listener";
import { CertificateAuthority } from "./certificate-authority/certificate-authority";
import { CtLog } from "./certificate-authority/ct-log";
import { startService, type Service } from "../../local-service/service";
import { NoteKey } from "./keys/note-key";
import { SigningKey } from "./keys/signing-key";
import { keepTokenFresh, localFiles, writeFiles } from "./local-files";
import type { LocalSigning, LocalSigningSettings } from "./local-signing";
import { Journal } from "./merkle/journal";
import { choosePorts, savePorts } from "./ports";
import { storeSampleImage } from "./registry/sample-image";
import { startRegistry } from "./registry/start-registry";
import { timestampListener, timestampPath } from "./timestamp/timestamp-listener";
import { issuerListener } from "./token-issuer/issuer-listener";
import { TokenIssuer } from "./token-issuer/token-issuer";
import { logListener } from "./transparency-log/log-listener";
import { TiledLog } from "./transparency-log/tiled-log";
import { isForTiledLog, tiledLogListener } from "./transparency-log/tiled-log-listener";
import { TransparencyLog } from "./transparency-log/transparency-log";

// The host of the log's URL, without the port: verifiers compare it with the name in checkpoints.
const checkpointName = "127.0.0.1";

/**
 * Starts all signing services on the loopback interface: an image registry, a certificate authority with its
 * log, a transparency log, a timestamp authority, and a token issuer.
 *
 * Keys are created once for each folder. Only one run at a time can use a folder.
 */
export async function startLocalSigning(settings: LocalSigningSettings): Promise<LocalSigning> {
  const { now = () => new Date(), log = () => undefined } = settings;
  const folder = resolve(settings.folder);
  const path = (...parts: readonly string[]) => join(folder, ...parts);
  const openKey = (name: string) => SigningKey.open(path("keys", `${name}.pem`));
  const [authorityChain, stampChain, ctKey, logKey, noteKey, issuerKey, ctJournal, logJournal] =
    await Promise.all([
      openAuthorityChain(folder, "codeSigning", now()),
      openAuthorityChain(folder, "timeStamping", now()),
      openKey("ct-log"),
      openKey("transparency-log"),
      NoteKey.open(path("keys", "transparency-log-v2.pem"), checkpointName),
      openKey("token-issuer"),
      Journal.open(path("certificate-log", "leaves")),
      Journal.open(path("transparency-log", "entries.jsonl")),
    ]);
  const tiledJournal = await Journal.open(path("transparency-log", "entries-v2"));
  const ports = await choosePorts(path("ports.json"), settings.port);
  const started: Service[] = [];
  const closeAll = async () => {
    await Promise.all(started.map((service) => service.close()));
    const journals = [ctJournal, logJournal, tiledJournal];
    await Promise.all(journals.map(({ journal }) => journal.settled()));
  };
  const start = async (service: Promise<Service>): Promise<Service> => {
    const running = await service;
    started.push(running);
    return running;
  };
  try {
    const sample =
      settings.sampleImage === undefined
        ? undefined
        : await storeSampleImage(path("registry"), settings.sampleImage);
    const registry = await start(
      startRegistry({
        folder: path("registry"),
        port: ports.registry,
        referrersApi: settings.referrersApi,
        access: settings.registryAccess,
        now,
        log,
      }),
    );
    let issuer = new TokenIssuer("", issuerKey, now);
    const tokenIssuer = await start(
      startService((request, response) => issuerListener(issuer, log)(request, response), {
        port: ports.tokenIssuer,
      }),
    );
    issuer = new TokenIssuer(tokenIssuer.url, issuerKey, now);
    const ctLog = new CtLog(ctKey, ctJournal.journal, ctJournal.lines, now);
    const rules = () => ({
      issuer: issuer.address,
      audience: "sigstore",
      keySet: issuer.keySet(),
      now: now(),
    });
    const authority = new CertificateAuthority(authorityChain, ctLog, now);
    const certificateAuthority = await start(
      startService(authorityListener({ authority, rules, log }), {
        port: ports.certificateAuthority,
      }),
    );
    const { journal, lines } = logJournal;
    const entries = new TransparencyLog(logKey, checkpointName, journal, lines, now);
    const tiled = new TiledLog(noteKey, tiledJournal.journal, tiledJournal.lines);
    const [serveLog, serveTiledLog] = [logListener(entries, log), tiledLogListener(tiled, log)];
    const transparencyLog = await start(
      startService(
        (request, response) =>
          (isForTiledLog(request) ? serveTiledLog : serveLog)(request, response),
        { port: ports.transparencyLog },
      ),
    );
    const stamps = await start(
      startService(timestampListener(stampChain, now), { port: ports.timestampAuthority }),
    );
    await savePorts(path("ports.json"), {
      registry: registry.port,
      certificateAuthority: certificateAuthority.port,
      transparencyLog: transparencyLog.port,
      timestampAuthority: stamps.port,
      tokenIssuer: tokenIssuer.port,
    });
    const addresses = {
      registry: registry.url,
      certificateAuthority: certificateAuthority.url,
      transparencyLog: transparencyLog.url,
      timestampAuthority: `${stamps.url}${timestampPath}`,
      tokenIssuer: tokenIssuer.url,
    };
    const files = localFiles(folder);
    const environment = await writeFiles(files, {
      addresses,
      certificateAuthority: authorityChain,
      timestampAuthority: stampChain,
      ctLog: ctKey,
      transparencyLog: logKey,
      tiledLog: noteKey,
    });
    const sampleImage =
      sample === undefined ? undefined : `${registry.host}/${settings.sampleImage ?? ""}@${sample}`;
    if (sampleImage === undefined) await rm(files.sampleImage, { force: true });
    else await writeFileAtomically(files.sampleImage, sampleImage);
    const { email = "dev@example.com" } = settings;
    const stopToken = await keepTokenFresh(files.identityToken, () => issuer.issue({ email }));
    return {
      addresses,
      registryHost: registry.host,
      files,
      sampleImage,
      environment,
      issueToken: (subject) => issuer.issue(subject),
      close: async () => {
        stopToken();
        await closeAll();
      },
    };
  } catch (failure) {
    await closeAll();
    throw failure;
  }
}
