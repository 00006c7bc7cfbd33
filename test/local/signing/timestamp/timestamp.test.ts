import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DerElement, fromPem, toPem } from "../../../../src/core/signing/sigstore/der/der-element";
import {
  readInteger,
  readObjectIdentifier,
  readOctetString,
  readTime,
} from "../../../../src/core/signing/sigstore/der/read-value";
import {
  derBoolean,
  derInteger,
  derObjectIdentifier,
  derOctetString,
  derSequence,
} from "../../../../src/core/signing/sigstore/der/write-der";
import { onPath } from "../../../on-path";
import { openServices, temporaryFolder } from "../local-services";

const sha256 = "2.16.840.1.101.3.4.2.1";
const digest = createHash("sha256").update("data").digest();

function requestFor(hash: Buffer, algorithm: string, ...options: readonly Buffer[]): Buffer {
  const imprint = derSequence(derSequence(derObjectIdentifier(algorithm)), derOctetString(hash));
  return derSequence(derInteger(1), imprint, ...options);
}

async function post(url: string, body: Buffer, type = "application/timestamp-query") {
  const headers = { "content-type": type };
  const response = await fetch(url, { method: "POST", headers, body: new Uint8Array(body) });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

/** The parts of SignedData, in order. */
function signedDataOf(answer: Buffer): readonly DerElement[] {
  const [, token] = DerElement.read(answer).sequence();
  const [type, content] = token?.sequence() ?? [];
  expect(type && readObjectIdentifier(type)).toBe("1.2.840.113549.1.7.2");
  return content?.children()[0]?.sequence() ?? [];
}

it("timestamps the digest, and returns the nonce", async () => {
  const now = new Date("2026-02-03T04:05:06Z");
  const services = await openServices({ now: () => now });
  const request = requestFor(digest, sha256, derInteger(1n << 70n));
  const { status, body } = await post(services.addresses.timestampAuthority, request);
  expect(status).toBe(201);
  const signed = signedDataOf(body);
  // No certificate was asked for: version, digests, content, signers.
  expect(signed).toHaveLength(4);
  const info = signed[2]?.sequence()[1]?.children()[0];
  const fields = DerElement.read(info ? readOctetString(info) : Buffer.alloc(0)).sequence();
  const [version, , imprint, , time, nonce] = fields;
  expect(version && readInteger(version)).toBe(1n);
  expect(imprint?.bytes.equals(request.subarray(5, 5 + imprint.bytes.byteLength))).toBe(true);
  expect(time && readTime(time)).toEqual(now);
  expect(nonce && readInteger(nonce)).toBe(1n << 70n);
});

(onPath("openssl") === undefined ? it.skip : it)("is accepted by OpenSSL", async () => {
  const services = await openServices();
  const request = requestFor(digest, sha256, derInteger(7), derBoolean(true));
  const { body } = await post(services.addresses.timestampAuthority, request);
  const folder = await temporaryFolder();
  const file = (name: string) => join(folder, name);
  const chain = fromPem("CERTIFICATE", await readFile(services.files.timestampChain, "utf8"));
  await writeFile(file("root.pem"), toPem("CERTIFICATE", chain[1] ?? Buffer.alloc(0)));
  await writeFile(file("request"), request);
  await writeFile(file("answer"), body);
  const files = ["-in", file("answer"), "-queryfile", file("request"), "-CAfile", file("root.pem")];
  const answer = execFileSync("openssl", ["ts", "-verify", ...files], { stdio: "pipe" });
  expect(answer.toString()).toContain("Verification: OK");
});

it("refuses an invalid request", async () => {
  const { addresses } = await openServices();
  const url = addresses.timestampAuthority;
  expect((await post(url, Buffer.from("x"))).status).toBe(400);
  expect((await post(url, requestFor(digest.subarray(1), sha256))).status).toBe(400);
  const sha1 = requestFor(digest.subarray(12), "1.3.14.3.2.26");
  const refused = await post(url, sha1);
  expect(refused.status).toBe(400);
  const [status] = DerElement.read(refused.body).sequence();
  const [code] = status?.sequence() ?? [];
  expect(code && readInteger(code)).toBe(2n);
  expect((await post(url, requestFor(digest, sha256), "text/plain")).status).toBe(415);
});
