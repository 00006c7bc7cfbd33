import { X509Certificate, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseJson, JsonFields } from "../../../../src/core/json/parse-json";
import { leafHash } from "../../../../src/local/signing/merkle/merkle-tree";
import { readBundledEntry } from "../../../../src/core/signing/sigstore/format/bundle";
import { proposeRekorV2 } from "../../../../src/core/signing/sigstore/format/log-entry";
import { readTrustedRoot } from "../../../../src/core/signing/sigstore/trust/trusted-root";
import { checkUndatedEntry } from "../../../../src/core/signing/sigstore/verification/log-entry-check";
import type { LocalSigning } from "../../../../src/local/signing/start-local-signing";
import { reopen } from "../../../reopen";
import { openServices, postJson, temporaryFolder } from "../local-services";
import { certify, type Certified } from "../signer";

const payload = Buffer.from("a payload");
const urlOf = (services: LocalSigning) => `${services.addresses.transparencyLog}/api/v2`;

function propose({ privateKey, certificate }: Certified, bytes: Buffer) {
  const signature = sign("sha256", bytes, privateKey);
  const verifier = { certificate: certificate.raw };
  const request = proposeRekorV2({ bytes, signature, verifier, key: certificate.publicKey });
  return { request, signature };
}

async function bytesAt(url: string): Promise<Buffer> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

it("logs an entry that verifies with the written trusted root", async () => {
  const services = await openServices();
  const signer = await certify(services);
  for (const text of ["one", "two"]) {
    const { request } = propose(signer, Buffer.from(text));
    expect((await postJson(`${urlOf(services)}/log/entries`, request)).status).toBe(201);
  }
  const { request, signature } = propose(signer, payload);
  const response = await postJson(`${urlOf(services)}/log/entries`, request);
  expect(response.status).toBe(201);
  const answer = JsonFields.of(parseJson(Buffer.from(await response.arrayBuffer())), "answer");
  const entry = readBundledEntry(answer);
  expect([entry.kind, entry.logIndex, entry.integratedTime]).toEqual(["hashedrekord/0.0.2", 2, 0]);
  const root = readTrustedRoot(await readFile(services.files.trustedRoot));
  const logged = {
    signature,
    bytes: payload,
    payload,
    kinds: ["hashedrekord/0.0.2" as const],
    verifier: { certificate: signer.certificate.raw },
  };
  checkUndatedEntry(entry, logged, root.transparencyLogs, [new Date()]);
  const other = { ...logged, bytes: Buffer.from("another payload") };
  expect(() => {
    checkUndatedEntry(entry, other, root.transparencyLogs, [new Date()]);
  }).toThrow("another content");
});

it("shows its entries and hashes as tiles, also after a restart", async () => {
  const folder = await temporaryFolder();
  const first = await openServices({ folder });
  const signer = await certify(first);
  for (const text of ["one", "two", "three"]) {
    const { request } = propose(signer, Buffer.from(text));
    await postJson(`${urlOf(first)}/log/entries`, request);
  }
  const checkpoint = await bytesAt(`${urlOf(first)}/checkpoint`);
  expect(checkpoint.toString()).toMatch(/^127\.0\.0\.1\n3\n/);
  await first.close();
  const again = await reopen(() => openServices({ folder }));
  expect(await bytesAt(`${urlOf(again)}/checkpoint`)).toEqual(checkpoint);
  const hashes = await bytesAt(`${urlOf(again)}/tile/0/000.p/3`);
  const bundle = await bytesAt(`${urlOf(again)}/tile/entries/000.p/3`);
  const bodies: Buffer[] = [];
  for (let at = 0; at < bundle.byteLength;) {
    const size = bundle.readUInt16BE(at);
    bodies.push(bundle.subarray(at + 2, at + 2 + size));
    at += 2 + size;
  }
  expect(Buffer.concat(bodies.map(leafHash))).toEqual(hashes);
  for (const path of ["tile/0/000", "tile/0/000.p/4", "tile/1/000", "tile/0/001", "tile/x/0"]) {
    expect((await fetch(`${urlOf(again)}/${path}`)).status).toBe(404);
  }
});

it("answers an equal entry with 409 and its index", async () => {
  const services = await openServices();
  const { request } = propose(await certify(services), payload);
  await postJson(`${urlOf(services)}/log/entries`, request);
  const second = await postJson(`${urlOf(services)}/log/entries`, request);
  expect([second.status, second.headers.get("x-log-index")]).toEqual([409, "0"]);
});

it("refuses what is not signed, and kinds that it does not have", async () => {
  const services = await openServices();
  const signer = await certify(services);
  const other = await certify(services, "grace@example.com");
  const bytes = payload;
  const verifier = { certificate: other.certificate.raw };
  const key = new X509Certificate(other.certificate.raw).publicKey;
  const signature = sign("sha256", bytes, signer.privateKey);
  const wrong = proposeRekorV2({ bytes, signature, verifier, key });
  for (const request of [wrong, {}, { dsseRequestV002: {} }, { hashedRekordRequestV002: {} }]) {
    const response = await postJson(`${urlOf(services)}/log/entries`, request);
    expect(response.status).toBe(400);
  }
});
