import { createHash, X509Certificate } from "node:crypto";
import { reportSigner, resultOf } from "../../../../src/core/signing/policy/policy-rules";
import { writeExtension } from "../../../../src/local/signing/certificate/write-certificate";
import {
  type LegacyLayer,
  annotation,
} from "../../../../src/core/signing/sigstore/format/manifest";
import {
  isVerified,
  type Verification,
  type VerifiedAttestation,
  type VerifiedSignature,
} from "../../../../src/core/signing/sigstore/verification/verification";
import {
  attestation,
  bundle,
  image,
  predicateType,
  rulesOf,
  signature,
  verifyAttestationLayer,
  verifySignatureLayer,
} from "../sigstore/verification/artefacts";
import { Authorities, email, issuer } from "../sigstore/verification/authorities";
import { verifyBundle } from "../../../../src/core/signing/sigstore/verification/verify-attached";

const world = new Authorities();
const rules = rulesOf(world);
const sha256 = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

/** Node.js writes a certificate as PEM as Go does. */
const pemOf = ({ annotations }: LegacyLayer): string =>
  new X509Certificate(annotations[annotation.certificate] ?? "").toString();

const signatureOf = ({ annotations }: LegacyLayer): Buffer =>
  Buffer.from(annotations[annotation.signature] ?? "", "base64");

function resultFor(
  found: Verification<VerifiedSignature | VerifiedAttestation>,
  type?: string,
): object {
  if (!isVerified(found)) throw new Error(found.problem);
  return resultOf(found, type);
}

test("a legacy signature has the ID that it has in a cluster", () => {
  const layer = signature(world);
  expect(resultFor(verifySignatureLayer(layer, image, rules))).toEqual({
    id: sha256(signatureOf(layer), pemOf(layer)),
    subject: email,
    issuer,
  });
});

test("a signer is reported by the identity in its certificate", () => {
  const found = verifySignatureLayer(signature(world), image, rules);
  if (!isVerified(found)) throw new Error(found.problem);
  expect(reportSigner(found.signer)).toEqual({ subject: email, issuer });
});

test("a legacy attestation has the ID of its certificate, the digest of its layer, and the type as written", () => {
  const layer = attestation(world, "dsse");
  const found = verifyAttestationLayer(layer, image, rules);
  expect(resultFor(found, "short")).toEqual({
    id: sha256(pemOf(layer)),
    subject: email,
    issuer,
    predicateType: "short",
    digest: `sha256:${sha256(layer.blob)}`,
  });
});

test("a bundle has an ID of its own, and the digest of the bundle", () => {
  const bytes = bundle(world, "attestation");
  const found = verifyBundle(bytes, image, "attestation", rules);
  expect(resultFor(found, predicateType)).toMatchObject({
    id: expect.stringMatching(/^(?!e3b0c442)[\da-f]{64}$/) as unknown,
    subject: email,
    digest: `sha256:${sha256(Buffer.from(bytes))}`,
  });
});

test("the workflow in a certificate has the names that it has in a cluster", () => {
  const fact = (number: number, text: string) =>
    writeExtension(`1.3.6.1.4.1.57264.1.${number}`, Buffer.from(text));
  const more = [
    fact(2, "push"),
    fact(3, "c0ffee"),
    fact(4, "Release"),
    fact(5, "acme/app"),
    fact(6, "refs/heads/main"),
  ];
  const layer = signature(world, { signer: world.signer({ more }) });
  expect(resultFor(verifySignatureLayer(layer, image, rules))).toMatchObject({
    githubWorkflowTrigger: "push",
    githubWorkflowSha: "c0ffee",
    githubWorkflowName: "Release",
    githubWorkflowRepo: "acme/app",
    githubWorkflowRef: "refs/heads/main",
  });
});
