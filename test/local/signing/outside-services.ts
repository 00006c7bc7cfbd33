import { spawn } from "node:child_process";
import { X509Certificate, createPublicKey, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { answerJson } from "../../../src/local/service/answer";
import { parseJsonBody, readField } from "../../../src/local/service/request";
import { startService } from "../../../src/local/service/service";
import { CtLog } from "../../../src/local/signing/certificate-authority/ct-log";
import { SigningKey } from "../../../src/local/signing/keys/signing-key";
import type { LocalSigning } from "../../../src/local/signing/start-local-signing";
import { Journal } from "../../../src/local/signing/merkle/merkle-tree";
import { Certificate } from "../../../src/core/signing/sigstore/certificate/certificate";
import { fromPem } from "../../../src/core/signing/sigstore/der/der-element";
import { noteKeyId } from "../../../src/core/signing/sigstore/verification/inclusion-proof";
import { onPath } from "../../on-path";

/** The real programs that these tests use, if they are on `PATH`. */
export const programs = {
  rekorTiles: onPath("rekor-tiles", "rekor-server-posix"),
  fulcio: onPath("fulcio", "fulcio-server"),
  timestampServer: onPath("timestamp-server"),
  cosign: onPath("cosign3", "cosign"),
} as const;

/** Files for signing with services that other people wrote. */
interface OutsideServices {
  /** Path of `trusted_root.json`. */
  readonly trustedRoot: string;
  /** Path of the signing config. */
  readonly signingConfig: string;
  readonly fulcioUrl: string;
  readonly rekorUrl: string;
  readonly timestampUrl: string;
  close(): Promise<void>;
}

type Programs = Readonly<Record<"rekorTiles" | "fulcio" | "timestampServer", string>>;

/** Starts Fulcio, a log of version 2 and a timestamp authority, for tokens of the local issuer. */
export async function startOutsideServices(
  { rekorTiles, fulcio, timestampServer }: Programs,
  { addresses }: LocalSigning,
): Promise<OutsideServices> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-outside-"));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const run = (program: string, ...args: readonly string[]): void => {
    const child = spawn(program, args, { stdio: "ignore", cwd: folder });
    closing.unshift(async () => {
      if (child.exitCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    });
  };
  const [http, grpc, metrics, ca, caGrpc, caMetrics, stamps] = await freePorts(7);
  const url = (port: number | undefined): string => `http://127.0.0.1:${port ?? 0}`;
  const path = (name: string): string => join(folder, name);

  const logKey = generateKeyPairSync("ed25519");
  await writeFile(
    path("log.pem"),
    logKey.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  );
  run(
    rekorTiles,
    "serve",
    "--hostname",
    "127.0.0.1",
    "--signer-filepath",
    path("log.pem"),
    "--storage-dir",
    path("log"),
    "--checkpoint-interval",
    "1s",
    "--http-port",
    `${http}`,
    "--grpc-port",
    `${grpc}`,
    "--http-metrics-port",
    `${metrics}`,
  );

  const ctKey = SigningKey.generate();
  const certificateLog = await startCertificateLog(ctKey, path("ct"));
  closing.unshift(() => certificateLog.close());
  await writeFile(path("ct.pub"), ctKey.publicKeyPem);
  const issuer = addresses.tokenIssuer;
  const issuers = { [issuer]: { IssuerURL: issuer, ClientID: "sigstore", Type: "email" } };
  await writeFile(path("fulcio.json"), JSON.stringify({ OIDCIssuers: issuers }));
  run(
    fulcio,
    "serve",
    "--ca",
    "ephemeralca",
    "--config-path",
    path("fulcio.json"),
    "--ct-log-url",
    certificateLog.url,
    "--ct-log-public-key-path",
    path("ct.pub"),
    "--host",
    "127.0.0.1",
    "--grpc-host",
    "127.0.0.1",
    "--port",
    `${ca}`,
    "--grpc-port",
    `${caGrpc}`,
    "--metrics-port",
    `${caMetrics}`,
    "--legacy-unix-domain-socket",
    path("fulcio.sock"),
  );
  run(
    timestampServer,
    "serve",
    "--host",
    "127.0.0.1",
    "--port",
    `${stamps}`,
    "--timestamp-signer",
    "memory",
    "--disable-ntp-monitoring",
  );

  const close = async (): Promise<void> => {
    for (const each of closing) await each();
  };
  try {
    const [caPem, stampPem] = await Promise.all([
      textAt(`${url(ca)}/api/v1/rootCert`),
      textAt(`${url(stamps)}/api/v1/timestamp/certchain`),
      textAt(`${url(http)}/healthz`),
    ]);
    const start = "2020-01-01T00:00:00Z";
    const chain = (pem: string) => ({
      certificates: fromPem("CERTIFICATE", pem).map((der) => ({
        rawBytes: der.toString("base64"),
      })),
    });
    const subject = { organization: "test", commonName: "test" };
    const log = (baseUrl: string, spki: Buffer, keyDetails: string, id: Buffer | undefined) => ({
      baseUrl,
      hashAlgorithm: "SHA2_256",
      logId: { keyId: id?.toString("base64") },
      publicKey: { rawBytes: spki.toString("base64"), keyDetails, validFor: { start } },
    });
    const spki = logKey.publicKey.export({ type: "spki", format: "der" });
    const id = noteKeyId("127.0.0.1", createPublicKey(logKey.privateKey));
    const timestampUrl = `${url(stamps)}/api/v1/timestamp`;
    const root = {
      mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
      tlogs: [log(url(http), spki, "PKIX_ED25519", id)],
      ctlogs: [log(certificateLog.url, ctKey.spki, "PKIX_ECDSA_P256_SHA_256", ctKey.id)],
      certificateAuthorities: [
        { subject, uri: url(ca), certChain: chain(caPem), validFor: { start } },
      ],
      timestampAuthorities: [
        { subject, uri: timestampUrl, certChain: chain(stampPem), validFor: { start } },
      ],
    };
    const services = (address: string, majorApiVersion = 1) => [
      { url: address, majorApiVersion, validFor: { start }, operator: "test.example" },
    ];
    const config = {
      mediaType: "application/vnd.dev.sigstore.signingconfig.v0.2+json",
      caUrls: services(url(ca)),
      oidcUrls: services(issuer),
      rekorTlogUrls: services(url(http), 2),
      rekorTlogConfig: { selector: "ANY" },
      tsaUrls: services(timestampUrl),
      tsaConfig: { selector: "ANY" },
    };
    await writeFile(path("trusted_root.json"), JSON.stringify(root));
    await writeFile(path("signing_config.json"), JSON.stringify(config));
    return {
      trustedRoot: path("trusted_root.json"),
      signingConfig: path("signing_config.json"),
      fulcioUrl: url(ca),
      rekorUrl: url(http),
      timestampUrl,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const poison = "1.3.6.1.4.1.11129.2.4.3";

/** The part of RFC 6962 that Fulcio needs: it submits certificates with a poison extension. */
async function startCertificateLog(key: SigningKey, file: string) {
  const log = new CtLog(key, await Journal.open(file), () => new Date());
  return startService(async (request, response) => {
    const chain = readField(await parseJsonBody(request), "chain");
    const [leaf = "", issuer = ""] = Array.isArray(chain) ? chain.map(String) : [];
    const body = new Certificate(Buffer.from(leaf, "base64")).tbsWithout(poison);
    const { publicKey } = new X509Certificate(Buffer.from(issuer, "base64"));
    const sct = await log.submit(body, publicKey.export({ type: "spki", format: "der" }));
    answerJson(response, 200, {
      sct_version: 0,
      id: key.id.toString("base64"),
      timestamp: Number(sct.readBigUInt64BE(33)),
      extensions: "",
      signature: sct.subarray(43).toString("base64"),
    });
  });
}

/** Ports of this machine that are free now. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => {
    const address = server.address();
    return address === null || typeof address === "string" ? 0 : address.port;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** What a service answers, once it has started. */
async function textAt(url: string): Promise<string> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      const response = await fetch(url);
      if (response.ok) return await response.text();
    } catch {
      // Not yet.
    }
    if (Date.now() > deadline) throw new Error(`${url} did not start`);
    await wait(100);
  }
}
