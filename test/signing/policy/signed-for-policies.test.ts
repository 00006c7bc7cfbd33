import { readFile } from "node:fs/promises";
import {
  type LegacyLayer,
  simpleSigningPayload,
} from "../../../src/signing/sigstore/format/legacy-layer";
import { evaluatePolicies } from "../../../src/signing/policy/evaluate-policies";
import { makeBundle } from "../../../src/signing/attach/attach-bundles";
import { makeSignature } from "../../../src/signing/sign/sign-image";
import { signingRun } from "../../../src/signing/attach/signing-run";
import type { TrustMaterial } from "../../../src/signing/sigstore/trust/trust-material";
import { verifyBundle } from "../../../src/signing/sigstore/verification/verify-bundle";
import { verifySignatureLayer } from "../../../src/signing/sigstore/verification/verify-layer";
import type { Digest } from "../../../src/signing/oci/reference/digest";
import { inTime, openBench, type SigningBench } from "../sign/signing-bench";
import { policiesOf, withAuthority } from "./policy-texts";
import { bundleStatement, signStatement } from "../../../src/signing/sigstore/format/statement";

const digest: Digest = `sha256:${"ab".repeat(32)}`;
const repository = { registry: "registry.example", path: "team/app" };
const type = "https://example.com/type";

/** A signature, and bundles with a signature and an attestation, all by the local services. */
async function signed(bench: SigningBench, withTimestamp = false) {
  const { addresses } = bench.local;
  const timestampUrl = withTimestamp ? addresses.timestampAuthority : undefined;
  const { services } = bench.person("dev@example.com", { timestampUrl });
  const run = signingRun(
    { image: { ...repository, digest }, conflict: "APPEND", ...bench.urls },
    services,
    inTime(),
  );
  const payload = simpleSigningPayload({ dockerReference: "registry.example/team/app", digest });
  const attestation = bundleStatement({ digest, predicateType: type, predicate: {} });
  return {
    layer: await makeSignature(run, digest, payload),
    signatureBundle: await makeBundle(run, digest, signStatement(digest), "signature"),
    attestationBundle: await makeBundle(run, digest, attestation, "attestation"),
  };
}

type Found = { readonly layer: LegacyLayer } | { readonly bundle: Buffer };

/** The words of the verdict on what was signed. */
async function verdictOn(
  found: Awaited<ReturnType<typeof signed>>,
  authority: object,
  trust: TrustMaterial,
): Promise<string> {
  const verdict = await evaluatePolicies<Found, Buffer>({
    policies: policiesOf(withAuthority(authority)),
    image: { repository, digest, given: "registry.example/team/app" },
    trust: () => Promise.resolve(trust),
    signatures: ({ format }) => {
      const candidates: readonly Found[] =
        format === "legacy"
          ? [{ layer: found.layer }]
          : [{ bundle: found.attestationBundle }, { bundle: found.signatureBundle }];
      return Promise.resolve(candidates.map((content) => ({ label: format, content })));
    },
    attestations: ({ format }) => {
      const bundles = [found.signatureBundle, found.attestationBundle];
      const content = format === "legacy" ? [] : bundles;
      return Promise.resolve(content.map((each) => ({ label: format, content: each })));
    },
    verifySignature: (each, rules) =>
      "layer" in each
        ? verifySignatureLayer(each.layer, digest, rules)
        : verifyBundle(each.bundle, digest, "signature", rules),
    verifyAttestation: (bundle, rules) => verifyBundle(bundle, digest, "attestation", rules),
  });
  return verdict.isAccepted ? "accepted" : verdict.message;
}

describe("what the local services signed", () => {
  test("satisfies policies that name who signed, and no others", async () => {
    const bench = await openBench();
    const { trust } = bench;
    const { certificateAuthority: url, tokenIssuer: issuer } = bench.local.addresses;
    const found = await signed(bench);
    const by = (identity: object, more: object = {}) =>
      verdictOn(found, { keyless: { url, identities: [identity] }, ...more }, trust);
    const us = { issuer, subject: "dev@example.com" };
    expect(await by(us)).toBe("accepted");
    expect(await by(us, { ctlog: { url: bench.urls.rekorUrl } })).toBe("accepted");
    expect(await by({ issuerRegExp: "^http://127", subjectRegExp: "@example\\.com$" })).toBe(
      "accepted",
    );
    // Expressions are found anywhere, unless they say otherwise.
    expect(await by({ issuer, subjectRegExp: "ev@ex" })).toBe("accepted");
    expect(await by({ issuer, subjectRegExp: "^ev@ex" })).toMatch(/looked for .*\/\^ev@ex\//);
    expect(await by({ issuer, subject: "other@example.com" })).toMatch(
      /looked for a legacy signature by "other@example\.com" from .*dev@example\.com/,
    );
    expect(await by({ issuer: "https://other.example", subject: "dev@example.com" })).toMatch(
      /not match:/,
    );
    expect(await by(us, { rfc3161timestamp: {} })).toMatch(/the signature has no timestamp/);
    const nobody = { ...trust, certificateAuthorities: [] };
    expect(await verdictOn(found, { keyless: { url, identities: [us] } }, nobody)).toMatch(
      /not match:/,
    );
  });

  test("satisfies policies on bundles, in which an attestation is no signature", async () => {
    const bench = await openBench();
    const { certificateAuthority: url, tokenIssuer: issuer } = bench.local.addresses;
    const found = await signed(bench);
    const identities = [{ issuer, subject: "dev@example.com" }];
    const bundle = { keyless: { url, identities }, signatureFormat: "bundle" };
    expect(await verdictOn(found, bundle, bench.trust)).toBe("accepted");
    const without = { ...found, signatureBundle: found.attestationBundle };
    expect(await verdictOn(without, bundle, bench.trust)).toMatch(
      /found 2 that do not match: .*example.com\/type/,
    );
    const wants = (predicateType: string) =>
      verdictOn(found, { ...bundle, attestations: [{ name: "a", predicateType }] }, bench.trust);
    expect(await wants(type)).toBe("accepted");
    expect(await wants("vuln")).toMatch(/has the type "https:\/\/example\.com\/type"/);
  });

  test("can be verified with the certificate authority in a policy", async () => {
    const bench = await openBench();
    const { issuer, subject } = {
      issuer: bench.local.addresses.tokenIssuer,
      subject: "dev@example.com",
    };
    const found = await signed(bench);
    const by = async (
      path: string,
      certificateAuthorities: TrustMaterial["certificateAuthorities"],
    ) => {
      const data = await readFile(path, "utf8");
      const keyless = { "ca-cert": { data }, identities: [{ issuer, subject }] };
      return verdictOn(found, { keyless }, { ...bench.trust, certificateAuthorities });
    };
    const { files } = bench.local;
    expect(await by(files.certificateChain, [])).toBe("accepted");
    // It replaces the trusted ones.
    const stranger = await openBench();
    const theirs = stranger.local.files.certificateChain;
    expect(await by(theirs, bench.trust.certificateAuthorities)).toMatch(
      /found 1 that does not match/,
    );
  });

  test("satisfies policies that require a timestamp in addition to the log", async () => {
    const bench = await openBench();
    const { certificateAuthority: url, tokenIssuer: issuer } = bench.local.addresses;
    const found = await signed(bench, true);
    const keyless = { url, identities: [{ issuer, subject: "dev@example.com" }] };
    const authority = { keyless, rfc3161timestamp: {} };
    expect(await verdictOn(found, authority, bench.trust)).toBe("accepted");
    const trust = { ...bench.trust, timestampAuthorities: [] };
    expect(await verdictOn(found, authority, trust)).toMatch(/not match:/);
  });
});
