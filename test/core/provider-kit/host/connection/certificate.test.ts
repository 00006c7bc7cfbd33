import { X509Certificate, createPrivateKey, createPublicKey } from "node:crypto";

import {
  createCertificate,
  fromPem,
  toPem,
} from "../../../../../src/core/provider-kit/host/connection/certificate";

test("is a self-signed certificate authority for localhost", () => {
  const { der, pem, keyPem } = createCertificate();
  const certificate = new X509Certificate(der);
  expect(certificate.ca).toBe(true);
  expect(certificate.checkHost("localhost")).toBe("localhost");
  expect(certificate.subjectAltName).toBe("DNS:localhost");
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkIssued(certificate)).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(keyPem))).toBe(true);
  expect(new X509Certificate(pem).raw).toEqual(der);
});

test("has the public key as Node.js exports it, also with zeros at the start of a coordinate", () => {
  const spki = { type: "spki", format: "der" } as const;
  let withZeros = 0;
  // One coordinate in 256 starts with a zero.
  while (withZeros < 4) {
    const { der, keyPem } = createCertificate();
    const expected = createPublicKey(createPrivateKey(keyPem)).export(spki);
    if (expected.at(-64) === 0 || expected.at(-32) === 0) withZeros++;
    const { publicKey } = new X509Certificate(der);
    expect(publicKey.export(spki).equals(expected)).toBe(true);
  }
});

test("can be used by servers and by clients", () => {
  const serverAuth = "1.3.6.1.5.5.7.3.1";
  const clientAuth = "1.3.6.1.5.5.7.3.2";
  expect(new X509Certificate(createCertificate().der).keyUsage).toEqual([serverAuth, clientAuth]);
});

function certificateAt(now: string): X509Certificate {
  const clock = jest.spyOn(Date, "now").mockReturnValue(Date.parse(now));
  try {
    return new X509Certificate(createCertificate().der);
  } finally {
    clock.mockRestore();
  }
}

test("is valid from a minute ago for ten years", () => {
  const { validFrom, validTo } = certificateAt("2026-03-04T05:06:07Z");
  expect(new Date(validFrom).toISOString()).toBe("2026-03-04T05:05:07.000Z");
  expect(new Date(validTo).toISOString()).toBe("2036-03-01T05:06:07.000Z");
});

test("can be parsed when its validity ends after 2049", () => {
  const { validTo } = certificateAt("2045-06-01T00:00:00Z");
  expect(new Date(validTo).getUTCFullYear()).toBe(2055);
});

test("is a different one every time", () => {
  const serials = Array.from(
    { length: 50 },
    () => new X509Certificate(createCertificate().der).serialNumber,
  );
  expect(new Set(serials).size).toBe(serials.length);
  expect(serials.every((serial) => /^[4-7][0-9A-F]{31}$/.test(serial))).toBe(true);
});

test("parses in a thousand runs, with signatures of any length", () => {
  const ders = Array.from({ length: 1000 }, createCertificate);
  const broken = ders.filter(({ der, pem }) => !new X509Certificate(pem).raw.equals(der));
  expect(broken).toEqual([]);
  expect(new Set(ders.map(({ der }) => der.byteLength)).size).toBeGreaterThan(1);
});

test.each([47, 48, 49, 95, 96, 97])("wraps %i bytes as PEM without an empty line", (byteLength) => {
  const der = Buffer.alloc(byteLength, 7);
  const pem = toPem("CERTIFICATE", der);
  expect(pem).not.toContain("\n\n");
  expect(Math.max(...pem.split("\n").map((line) => line.length))).toBeLessThanOrEqual(64);
  expect(fromPem(pem)).toEqual(der);
});

test("parses when the last line of the PEM is full", () => {
  // Signatures vary in length. About one certificate in several hundred has a multiple of 48 bytes,
  // which is 64 characters in Base64.
  const full = findCertificate((der) => der.byteLength % 48 === 0);
  const pem = toPem("CERTIFICATE", full);
  expect(pem.split("\n").at(-3)).toHaveLength(64);
  expect(new X509Certificate(pem).raw).toEqual(full);
});

test.each([
  ["nothing", ""],
  ["another label", toPem("PRIVATE KEY", Buffer.of(1, 2, 3))],
  ["no end", "-----BEGIN CERTIFICATE-----\nAAAA"],
])("finds no certificate in %s", (_name, pem) => {
  expect(fromPem(pem)).toBeUndefined();
});

function findCertificate(fits: (der: Buffer) => boolean): Buffer {
  for (let run = 0; run < 100_000; run++) {
    const { der } = createCertificate();
    if (fits(der)) return der;
  }
  throw new Error("no certificate has a fitting length");
}
