import { once } from "node:events";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { fromPem, toPem } from "../../../../src/core/signing/sigstore/der/der-element";
import { readField } from "../../../../src/local/service/request";
import { sign } from "../../../../src/core/signing/sign/declare";
import { formatRepository } from "../../../../src/core/signing/oci/reference/image-name";
import { closeAfterTest } from "../../http/close-after-test";
import { details, summaries } from "../../provider-kit/server/protocol";
import { openBench } from "../sign/signing-bench";
import { Authorities, issuer } from "../sigstore/verification/authorities";
import { apply, connect, email, policyText, verifyImage } from "./signing";

const world = new Authorities();

/** A certificate authority without a certificate transparency log: its certificates have no SCT. */
async function authorityWithoutLog(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const asked: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const pem = readField(asked, "publicKeyRequest", "publicKey", "content");
      const [spki = Buffer.alloc(0)] = fromPem("PUBLIC KEY", String(pem));
      const leaf = world.signer({
        spki,
        withoutSct: true,
        notBefore: new Date(Date.now() - 60_000),
        notAfter: new Date(Date.now() + 600_000),
      });
      const chain = [leaf.der, world.issuing, world.root].map((der) => toPem("CERTIFICATE", der));
      response.writeHead(200, { "content-type": "application/json" });
      const certificates = { chain: { certificates: chain } };
      response.end(JSON.stringify({ signedCertificateDetachedSct: certificates }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closeAfterTest(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

async function open() {
  const bench = await openBench();
  const image = await bench.pushImage("without");
  const fulcioUrl = await authorityWithoutLog();
  const local: unknown = JSON.parse(await readFile(bench.local.files.trustedRoot, "utf8"));
  const authorities = world.trustedRoot().certificateAuthorities;
  const trustedRoot = JSON.stringify({
    ...(typeof local === "object" ? local : {}),
    certificateAuthorities: authorities.map((each) => ({ ...each, uri: fulcioUrl })),
  });
  const policy = (more: object) =>
    policyText(bench.local, {
      authorities: [
        { keyless: { url: fulcioUrl, identities: [{ issuer, subject: email }], ...more } },
      ],
    });
  const reference = `${formatRepository(image)}@${image.digest}`;
  return { bench, image: reference, policy, settings: { fulcioUrl, trustedRoot } };
}

test("a certificate without an SCT is refused before anything is logged", async () => {
  const { bench, image, settings } = await open();
  const provider = await connect(bench.local, settings);
  const { diagnostics } = await apply(provider, sign, { image });
  expect(summaries(diagnostics)).toEqual(["ERROR - New Signature Does Not Verify"]);
  expect(details(diagnostics)).toContain("nothing was written, not even to the log");
  expect(await bench.logSize()).toBe(0);
});

test("insecure_ignore_sct signs with it, and only a policy that says the same accepts that", async () => {
  const { bench, image, policy, settings } = await open();
  const provider = await connect(bench.local, { ...settings, insecureIgnoreSct: true });
  const { diagnostics } = await apply(provider, sign, { image });
  expect(summaries(diagnostics)).toEqual([]);
  const lenient = await verifyImage(provider, image, policy({ insecureIgnoreSCT: true }));
  expect(lenient.summaries).toEqual([]);
  const strict = await verifyImage(provider, image, policy({}));
  expect(strict.summaries).toEqual(["ERROR image Image Refused By Policy"]);
  expect(details(strict.diagnostics)).toContain("(SCT)");
});
