import { Certificate } from "../../../../../src/core/signing/sigstore/certificate/certificate";
import {
  readTrustedRoot,
  isTrustError,
} from "../../../../../src/core/signing/sigstore/trust/trusted-root";
import { isVerified } from "../../../../../src/core/signing/sigstore/verification/verification";
import { writeBundle } from "../../../../../src/core/signing/sigstore/format/bundle";
import { bundle, image, rulesOf } from "../verification/artefacts";
import { Authorities, keyPair } from "../verification/authorities";
import { bundleV2, RekorV2Log, rootWith, rulesWith } from "../verification/rekor-v2";
import { verifyBundle } from "../../../../../src/core/signing/sigstore/verification/verify-attached";

const world = new Authorities();
type Json = Record<string, unknown>;

/** The root with another value at a path; undefined removes the member. */
function changed(path: string, value: unknown): string {
  const root: unknown = JSON.parse(JSON.stringify(world.trustedRoot()));
  const names = path.split(".");
  const last = names.pop() ?? "";
  let object = root as Json;
  for (const name of names) object = object[name] as Json;
  object[last] = value;
  return JSON.stringify(root);
}

function problemOf(text: string): string | undefined {
  try {
    readTrustedRoot(text);
    return undefined;
  } catch (error) {
    if (isTrustError(error) && error.code === "DOCUMENT") return error.message;
    throw error;
  }
}

const logs = ["tlogs.0", "ctlogs.0"];
const authorities = ["certificateAuthorities.0", "timestampAuthorities.0"];
const der = (kind: Parameters<typeof keyPair>[0]) =>
  keyPair(kind).publicKey.export({ format: "der", type: "spki" }).toString("base64");

// What sigstore-go refuses, too.
test.each<[string, unknown]>([
  ["mediaType", undefined],
  ["mediaType", "application/vnd.dev.sigstore.trustedroot+json;version=0.3"],
  ["mediaType", "application/vnd.dev.sigstore.trustedroot+json;version=0.1 "],
  ["extra", []],
  ["tlog", []],
  ["tlogs", {}],
  ["certificateAuthorities", "none"],
  ...logs.flatMap<[string, unknown]>((log) => [
    [`${log}.publicKey.validFor`, undefined],
    [`${log}.publicKey.validFor`, null],
    [`${log}.publicKey.validFor`, {}],
    [`${log}.publicKey.validFor`, { end: "2030-01-01T00:00:00Z" }],
    [`${log}.publicKey.validFor.start`, null],
    [`${log}.publicKey.validFor.from`, "2030-01-01T00:00:00Z"],
    ...[
      "",
      "2021",
      "2021-02-30T00:00:00Z",
      "2021-01-01T24:00:00Z",
      "2021-01-01T00:00:60Z",
      "2021-01-01T00:00:00",
      "2021-01-01 00:00:00Z",
      "2021-01-01T00:00:00+24:00",
      "0000-01-01T00:00:00Z",
      1_600_000_000,
    ].map<[string, unknown]>((start) => [`${log}.publicKey.validFor.start`, start]),
    [`${log}.hashAlgorithm`, undefined],
    [`${log}.hashAlgorithm`, "HASH_ALGORITHM_UNSPECIFIED"],
    [`${log}.hashAlgorithm`, "SHA2_512"],
    [`${log}.hashAlgorithm`, "sha256"],
    [`${log}.publicKey`, undefined],
    [`${log}.publicKey.rawBytes`, undefined],
    [`${log}.publicKey.rawBytes`, ""],
    [`${log}.publicKey.rawBytes`, der("ed25519")],
    [`${log}.publicKey.rawBytes`, der("rsa")],
    [`${log}.publicKey.keyDetails`, undefined],
    [`${log}.publicKey.keyDetails`, "PUBLIC_KEY_DETAILS_UNSPECIFIED"],
    [`${log}.publicKey.keyDetails`, "PKIX_ED25519"],
    [`${log}.publicKey.keyDetails`, "PKIX_ED25519_PH"],
    [`${log}.publicKey.keyDetails`, "PKIX_RSA_PKCS1V15_2048_SHA256"],
    [`${log}.publicKey.keyDetails`, "PKCS1_RSA_PKCS1V5"],
    [`${log}.publicKey.keyDetails`, "PKIX_ECDSA_P256_HMAC_SHA_256"],
    [`${log}.publicKey.keyDetails`, "ML_DSA_65"],
    [`${log}.publicKey.keyDetails`, "constructor"],
    [`${log}.publicKey.extra`, 1],
    [`${log}.logId`, undefined],
    [`${log}.logId`, {}],
    [`${log}.logId.keyID`, "AAAA"],
    [`${log}.logId.keyId`, ""],
    [`${log}.checkpointKeyId`, { keyId: "%" }],
    [`${log}.baseUrl`, 1],
    [`${log}.baseURL`, "https://log.example.com"],
    [`${log}.operator`, {}],
  ]),
  ...authorities.flatMap<[string, unknown]>((authority) => [
    [`${authority}.certChain`, undefined],
    [`${authority}.certChain`, { certificates: [] }],
    [`${authority}.certChain.extra`, 1],
    [`${authority}.certChain.certificates.0.extra`, 1],
    [`${authority}.certChain.certificates.1.rawBytes`, "AAAA"],
    [`${authority}.validFor.begin`, "2030-01-01T00:00:00Z"],
    [`${authority}.validFor.end`, "never"],
    [`${authority}.subject`, "CN=root"],
    [`${authority}.subject.country`, "XX"],
    [`${authority}.uri`, 1],
    [`${authority}.extra`, null],
  ]),
])("a trusted root whose %s is %j is refused", (path, value) => {
  expect(problemOf(changed(path, value))).toMatch(/^not a trusted_root\.json: /);
});

test.each(["certificateAuthorities", "timestampAuthorities"] as const)(
  "a certificate of %s whose key cannot be read is refused, whether it is used or not",
  (kind) => {
    const chain = world.trustedRoot()[kind][0]?.certChain.certificates ?? [];
    for (const [index, { rawBytes }] of chain.entries()) {
      const bytes = Buffer.from(rawBytes, "base64");
      const { publicKeyDer } = new Certificate(bytes);
      // The last byte of the point.
      const at = bytes.indexOf(publicKeyDer) + publicKeyDer.byteLength - 1;
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      const path = `${kind}.0.certChain.certificates.${index}.rawBytes`;
      expect(problemOf(changed(path, bytes.toString("base64")))).toContain("public key");
    }
    expect(chain).toHaveLength(2);
  },
);

test.each<[string, unknown]>([
  ["mediaType", "application/vnd.dev.sigstore.trustedroot.v0.1+json"],
  ["mediaType", "application/vnd.dev.sigstore.trustedroot.v0.2+json"],
  ["tlogs.0.operator", "sigstore.dev"],
  ["tlogs.0.checkpointKeyId", { keyId: "AAAAAA==" }],
  ["tlogs.0.baseUrl", undefined],
  ["tlogs.0.publicKey.validFor.start", "2021-01-12T11:53:27.000000001+02:00"],
  ["certificateAuthorities.0.validFor", undefined],
  ["certificateAuthorities.0.operator", "sigstore.dev"],
  ["timestampAuthorities.0.subject", undefined],
  ["timestampAuthorities", null],
])("a trusted root whose %s is %j is read", (path, value) => {
  expect(problemOf(changed(path, value))).toBeUndefined();
});

test("a log of version 1 needs no URL", () => {
  const trust = readTrustedRoot(changed("tlogs.0.baseUrl", undefined));
  const verified = verifyBundle(
    bundle(world, "attestation"),
    image,
    "attestation",
    rulesOf(world, { trust }),
  );
  expect(verified).toMatchObject({ log: { logId: world.logKey.id.toString("hex") } });
  expect(isVerified(verified) && verified.log?.url).toBeUndefined();
});

test.each(["ed25519", "ecdsa"] as const)(
  "a log of version 2 with an %s key needs its URL, which is its name",
  (kind) => {
    const log = new RekorV2Log(undefined, kind);
    const bytes = writeBundle(bundleV2(world, [log]));
    for (const [baseUrl, isRight] of [
      [`https://${log.name}`, true],
      [undefined, false],
      ["", false],
      [log.name, false],
    ] as const) {
      const root = rootWith(world, { trusted: () => ({ ...log.trusted(), baseUrl }) });
      const verified = verifyBundle(bytes, image, "attestation", rulesWith(world, root));
      expect([baseUrl, isVerified(verified)]).toEqual([baseUrl, isRight]);
    }
  },
);
