import { readFile } from "node:fs/promises";
import { Attachments } from "../../../../src/core/signing/image/attachments";
import { makeBundle } from "../../../../src/core/signing/sign/attach-bundles";
import { SignatureRun } from "../../../../src/core/signing/sign/signature-run";
import type { TrustMaterial } from "../../../../src/core/signing/sigstore/trust/trusted-root";
import { sign } from "../sign/operations";
import { inTime, openBench, type SigningBench } from "../sign/signing-bench";
import { withAuthority } from "./policy-texts";
import { foundBundle, verdictOn, wordsOf } from "./verdict-on";
import {
  bundleStatement,
  signStatement,
} from "../../../../src/core/signing/sigstore/format/statement";

const type = "https://example.com/type";

/** A signature, and bundles with a signature and an attestation, all by the local services. */
async function signed(bench: SigningBench, withTimestamp = false) {
  const { addresses } = bench.local;
  const timestampUrl = withTimestamp ? addresses.timestampAuthority : undefined;
  const person = bench.person("dev@example.com", { timestampUrl });
  const { registry, repository } = bench;
  const image = await bench.pushImage("app");
  const { digest } = image;
  await sign(bench, person, image);
  const attachments = new Attachments({ registry, repository, context: inTime() }, digest);
  const run = new SignatureRun(bench.urls, person.services, inTime());
  const attestation = bundleStatement({ digest, predicateType: type, predicate: {} });
  return {
    digest,
    layers: await attachments.layers("signature"),
    signatureBundle: await makeBundle(run, digest, signStatement(digest), "signature"),
    attestationBundle: await makeBundle(run, digest, attestation, "attestation"),
  };
}

/** The words of the verdict on what was signed. */
async function saidOf(
  found: Awaited<ReturnType<typeof signed>>,
  authority: object,
  trust: TrustMaterial,
): Promise<string> {
  const { digest, layers, signatureBundle, attestationBundle } = found;
  const verdict = await verdictOn(withAuthority(authority), digest, {
    trust: () => Promise.resolve(trust),
    signatures: ({ format }) =>
      Promise.resolve(
        format === "legacy"
          ? layers
          : [foundBundle(format, attestationBundle), foundBundle(format, signatureBundle)],
      ),
    attestations: ({ format }) => {
      const bundles = [signatureBundle, attestationBundle];
      const attached = format === "legacy" ? [] : bundles;
      return Promise.resolve(attached.map((each) => foundBundle(format, each)));
    },
  });
  return wordsOf(verdict);
}

describe("what the local services signed", () => {
  test("satisfies policies that name who signed, and no others", async () => {
    const bench = await openBench();
    const { trust } = bench;
    const { certificateAuthority: url, tokenIssuer: issuer } = bench.local.addresses;
    const found = await signed(bench);
    const by = (identity: object, more: object = {}) =>
      saidOf(found, { keyless: { url, identities: [identity] }, ...more }, trust);
    const us = { issuer, subject: "dev@example.com" };
    expect(await by(us)).toBe("accepted");
    expect(await by(us, { ctlog: { url: bench.urls.rekorUrl } })).toBe("accepted");
    expect(await by({ issuerRegExp: "^http://127", subjectRegExp: "@example\\.com$" })).toBe(
      "accepted",
    );
    // Expressions are found anywhere, unless they say otherwise.
    expect(await by({ issuer, subjectRegExp: "ev@ex" })).toBe("accepted");
    expect(await by({ issuer, subjectRegExp: "^ev@ex" })).toMatch(/Needs .*\/\^ev@ex\//);
    expect(await by({ issuer, subject: "other@example.com" })).toMatch(
      /Needs `a legacy signature by "other@example\.com" from [^]*dev@example\.com/,
    );
    expect(await by({ issuer: "https://other.example", subject: "dev@example.com" })).toContain(
      "did not count",
    );
    expect(await by(us, { rfc3161timestamp: {} })).toMatch(/the signature has no timestamp/);
    const nobody = { ...trust, certificateAuthorities: [] };
    expect(await saidOf(found, { keyless: { url, identities: [us] } }, nobody)).toContain(
      "did not count",
    );
  });

  test("satisfies policies on bundles, in which an attestation is no signature", async () => {
    const bench = await openBench();
    const { certificateAuthority: url, tokenIssuer: issuer } = bench.local.addresses;
    const found = await signed(bench);
    const identities = [{ issuer, subject: "dev@example.com" }];
    const bundle = { keyless: { url, identities }, signatureFormat: "bundle" };
    expect(await saidOf(found, bundle, bench.trust)).toBe("accepted");
    const without = { ...found, signatureBundle: found.attestationBundle };
    expect(await saidOf(without, bundle, bench.trust)).toMatch(
      /did not count [^]*did not count [^]*example.com\/type/,
    );
    const wants = (predicateType: string) =>
      saidOf(found, { ...bundle, attestations: [{ name: "a", predicateType }] }, bench.trust);
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
      return saidOf(found, { keyless }, { ...bench.trust, certificateAuthorities });
    };
    const { files } = bench.local;
    expect(await by(files.certificateChain, [])).toBe("accepted");
    // It replaces the trusted ones.
    const stranger = await openBench();
    const theirs = stranger.local.files.certificateChain;
    expect(await by(theirs, bench.trust.certificateAuthorities)).toContain("did not count");
  });

  test("satisfies policies that require a timestamp in addition to the log", async () => {
    const bench = await openBench();
    const { certificateAuthority: url, tokenIssuer: issuer } = bench.local.addresses;
    const found = await signed(bench, true);
    const keyless = { url, identities: [{ issuer, subject: "dev@example.com" }] };
    const authority = { keyless, rfc3161timestamp: {} };
    expect(await saidOf(found, authority, bench.trust)).toBe("accepted");
    const trust = { ...bench.trust, timestampAuthorities: [] };
    expect(await saidOf(found, authority, trust)).toContain("did not count");
  });
});
