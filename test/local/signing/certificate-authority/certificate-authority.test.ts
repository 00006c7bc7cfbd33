import { createHash, createPublicKey, sign, verify, X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DerElement } from "../../../../src/core/signing/sigstore/der/der-element";
import {
  readObjectIdentifier,
  readText,
} from "../../../../src/core/signing/sigstore/der/read-value";
import { derContext, derSequence } from "../../../../src/core/signing/sigstore/der/write-der";
import { reopen } from "../../../reopen";
import { openServices, postJson, temporaryFolder } from "../local-services";
import { certify } from "../signer";

/** The extensions of a certificate by their names: their values, and whole. */
function extensionsOf(der: Buffer): Map<string, { value: Buffer; whole: Buffer }> {
  const [body] = DerElement.read(der).sequence();
  const list = body?.sequence().at(-1)?.children()[0]?.sequence() ?? [];
  return new Map(
    list.map((extension) => {
      const [name, ...rest] = extension.sequence();
      const value = rest.at(-1)?.content ?? Buffer.alloc(0);
      return [name ? readObjectIdentifier(name) : "", { value, whole: extension.bytes }];
    }),
  );
}

const sctName = "1.3.6.1.4.1.11129.2.4.2";

it("issues a certificate for the name in the token, with its chain", async () => {
  const services = await openServices();
  const { certificate, chain, publicKey } = await certify(services, "ada@example.com");
  const [, intermediate, root] = chain.map((pem) => new X509Certificate(pem));
  if (intermediate === undefined || root === undefined) throw new Error("no chain");
  expect(certificate.verify(intermediate.publicKey)).toBe(true);
  expect(intermediate.verify(root.publicKey) && root.verify(root.publicKey)).toBe(true);
  expect(certificate.checkIssued(intermediate) && intermediate.checkIssued(root)).toBe(true);
  expect([certificate.ca, intermediate.ca, root.ca]).toEqual([false, true, true]);
  expect(certificate.publicKey.equals(publicKey)).toBe(true);
  expect(certificate.subjectAltName).toBe("email:ada@example.com");
  expect(certificate.subject).toBeFalsy();
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.3"]);
  const lifetime = Date.parse(certificate.validTo) - Date.parse(certificate.validFrom);
  expect(lifetime).toBe(10 * 60 * 1000);
  const extensions = extensionsOf(certificate.raw);
  const { tokenIssuer } = services.addresses;
  expect(extensions.get("1.3.6.1.4.1.57264.1.1")?.value.toString()).toBe(tokenIssuer);
  const issuer = extensions.get("1.3.6.1.4.1.57264.1.8")?.value ?? Buffer.alloc(0);
  expect(readText(DerElement.read(issuer))).toBe(tokenIssuer);
  expect(extensions.get("2.5.29.17")?.whole.includes(Buffer.from("0101ff", "hex"))).toBe(true);
  expect(await readFile(services.files.certificateChain, "utf8")).toBe(chain.slice(1).join(""));
});

it("adds an SCT to the certificate that the log's key verifies", async () => {
  const services = await openServices();
  const { certificate, chain } = await certify(services);
  const extensions = extensionsOf(certificate.raw);
  const list = DerElement.read(extensions.get(sctName)?.value ?? Buffer.alloc(0)).content;
  const sct = list.subarray(4);
  const logKey = createPublicKey(await readFile(services.files.ctLogPublicKey, "utf8"));
  const logId = createHash("sha256").update(logKey.export({ type: "spki", format: "der" }));
  expect(sct.subarray(1, 33).equals(logId.digest())).toBe(true);
  // What was signed: the body without the list of promises.
  const [body] = DerElement.read(certificate.raw).sequence();
  const fields = body?.sequence() ?? [];
  const kept = [...extensions].filter(([name]) => name !== sctName).map(([, { whole }]) => whole);
  const precertificate = derSequence(
    ...fields.slice(0, -1).map(({ bytes }) => bytes),
    derContext(3, derSequence(...kept)),
  );
  const issuer = new X509Certificate(chain[1] ?? "").publicKey;
  const issuerHash = createHash("sha256").update(issuer.export({ type: "spki", format: "der" }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(precertificate.byteLength);
  const signed = Buffer.concat([
    Buffer.of(0, 0),
    sct.subarray(33, 41),
    Buffer.of(0, 1),
    issuerHash.digest(),
    length.subarray(1),
    precertificate,
    Buffer.of(0, 0),
  ]);
  expect(sct.subarray(43, 45).toString("hex")).toBe("0403");
  expect(verify("sha256", signed, logKey, sct.subarray(47))).toBe(true);
  const { certificateAuthority } = services.addresses;
  const leaf = createHash("sha256")
    .update(Buffer.concat([Buffer.of(0), signed]))
    .digest("base64");
  const path = `/ct/v1/get-proof-by-hash?tree_size=1&hash=${encodeURIComponent(leaf)}`;
  const proof = await fetch(`${certificateAuthority}${path}`);
  expect(await proof.json()).toEqual({ leaf_index: 0, audit_path: [] });
});

it("names machines by URI, with the older API too", async () => {
  const services = await openServices();
  const subject = "https://ci.example.com/job/1";
  const { privateKey, publicKey } = await certify(services);
  const pem = publicKey.export({ type: "spki", format: "pem" });
  const response = await postJson(
    `${services.addresses.certificateAuthority}/api/v1/signingCert`,
    {
      publicKey: { algorithm: "ecdsa", content: Buffer.from(pem).toString("base64") },
      signedEmailAddress: sign("sha256", Buffer.from(subject), privateKey).toString("base64"),
    },
    { authorization: `Bearer ${services.issueToken({ subject })}` },
  );
  expect([response.status, response.headers.get("content-type")]).toEqual([
    201,
    "application/pem-certificate-chain",
  ]);
  const text = await response.text();
  expect(text.match(/BEGIN CERTIFICATE/g)).toHaveLength(3);
  expect(new X509Certificate(text).subjectAltName).toBe(`URI:${subject}`);
});

describe("refuses", () => {
  const ask = async (
    change: { token?: string; proof?: Buffer; key?: string },
    now?: () => Date,
  ) => {
    const services = await openServices(now === undefined ? {} : { now });
    const other = await openServices();
    const email = "ada@example.com";
    const { privateKey, publicKey } = await certify(other);
    const tokens: Record<string, string> = {
      good: services.issueToken({ email }),
      "another issuer's": other.issueToken({ email }),
      "for another audience": services.issueToken({ email, audience: "other" }),
      expired: services.issueToken({ email, lifetimeSeconds: 0 }),
      "for no URI": services.issueToken({ subject: "ada" }),
      "with another body": services
        .issueToken({ email })
        .replace(
          /\.[^.]+\./,
          `.${services.issueToken({ email: "eve@x.org" }).split(".")[1] ?? ""}.`,
        ),
      "no token": "x",
    };
    const proof = change.proof ?? sign("sha256", Buffer.from(email), privateKey);
    const url = `${services.addresses.certificateAuthority}/api/v2/signingCert`;
    const response = await postJson(url, {
      credentials: { oidcIdentityToken: tokens[change.token ?? "good"] },
      publicKeyRequest: {
        publicKey: { content: change.key ?? publicKey.export({ type: "spki", format: "pem" }) },
        proofOfPossession: proof.toString("base64"),
      },
    });
    return response.status;
  };

  it.each([
    ["good", 200],
    ["another issuer's", 401],
    ["for another audience", 401],
    ["expired", 401],
    ["for no URI", 401],
    ["with another body", 401],
    ["no token", 401],
  ])("a token: %s", async (token, status) => {
    expect(await ask({ token })).toBe(status);
  });

  it("a key without proof of possession, and an invalid key", async () => {
    expect(await ask({ proof: Buffer.from("x") })).toBe(400);
    expect(await ask({ key: "x" })).toBe(400);
  });
});

it("keeps its keys in the folder, readable only by their owner", async () => {
  const folder = await temporaryFolder();
  const first = await openServices({ folder });
  const root = await readFile(first.files.certificateChain, "utf8");
  await first.close();
  const second = await reopen(() => openServices({ folder }));
  expect(await readFile(second.files.certificateChain, "utf8")).toBe(root);
  expect(second.addresses).toEqual(first.addresses);
  const names = ["certificate-authority", "ct-log", "transparency-log", "token-issuer"];
  for (const file of names.map((name) => join(folder, "keys", `${name}.pem`))) {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  }
  expect((await stat(second.files.identityToken)).mode & 0o777).toBe(0o600);
});
