import { createTerraformHarness } from "../../../../src/core/provider-kit/testing";
import { UNKNOWN } from "../../../../src/core/schema";
import { attest } from "../../../../src/core/signing/attest/declare";
import { copy } from "../../../../src/core/signing/copy/declare";
import { signingProvider } from "../../../../src/core/signing/provider/declare";
import { sign } from "../../../../src/core/signing/sign/declare";
import { details, summaries } from "../../provider-kit/server/protocol";
import { plan, start, verifyImage } from "./signing";

const image = `registry.example/lab/app@sha256:${"ab".repeat(32)}`;
const predicates = [{ type: "custom", json: '{"tested":true}', files: [] }];

describe("settings", () => {
  test("are all optional", async () => {
    const provider = await start({});
    expect(provider.configured).toEqual([]);
    expect((await plan(provider, sign, { image })).planned).toMatchObject({
      conflict: "SKIPSAME",
      fulcioUrl: "https://fulcio.sigstore.dev",
      rekorUrl: "https://rekor.sigstore.dev",
      signatureFormat: null,
    });
  });

  test("provide the URLs for resources", async () => {
    const provider = await start({
      fulcioUrl: "https://ca.example",
      rekorUrl: "https://log.example",
    });
    for (const [declaration, more] of [
      [sign, {}],
      [attest, { predicates }],
    ] as const) {
      expect((await plan(provider, declaration, { image, ...more })).planned).toMatchObject({
        fulcioUrl: "https://ca.example",
        rekorUrl: "https://log.example",
      });
    }
  });

  test("are overridden by those of a resource", async () => {
    const provider = await start({
      fulcioUrl: "https://ca.example",
      rekorUrl: "https://log.example",
    });
    const { planned } = await plan(provider, sign, { image, rekorUrl: "https://other.example" });
    expect(planned).toMatchObject({
      fulcioUrl: "https://ca.example",
      rekorUrl: "https://other.example",
    });
  });

  test("that are unknown do not prevent a plan", async () => {
    const names = Object.keys(signingProvider.attributes);
    const provider = await start(Object.fromEntries(names.map((name) => [name, UNKNOWN])));
    expect(provider.configured).toEqual([]);
    expect((await plan(provider, sign, { image })).planned).toMatchObject({
      fulcioUrl: UNKNOWN,
      rekorUrl: UNKNOWN,
      signedRef: UNKNOWN,
    });
    expect((await plan(provider, attest, { image, predicates })).diagnostics).toEqual([]);
    const source = { source: image, destination: "registry.example/mine" };
    expect((await plan(provider, copy, source)).diagnostics).toEqual([]);
  });

  test("that are unknown are named when they are needed", async () => {
    const registries = [{ host: "registry.example", username: "ada", password: UNKNOWN }];
    const provider = await start({ trustedRoot: UNKNOWN, registries });
    const policy = JSON.stringify({
      apiVersion: "policy.sigstore.dev/v1beta1",
      kind: "ClusterImagePolicy",
      metadata: { name: "all" },
      spec: { images: [{ glob: "**" }], authorities: [{ static: { action: "pass" } }] },
    });
    const { summaries: found, diagnostics } = await verifyImage(provider, image, policy);
    expect(found).toEqual(["ERROR - Provider Setting Not Known Yet"]);
    expect(details(diagnostics)).toContain("trusted_root, registry");
  });

  test.each<[Record<string, unknown>, string]>([
    [{ timeout: "soon" }, "ERROR timeout "],
    [{ defaultSignatureFormat: "new" }, "ERROR default_signature_format "],
    [{ defaultAttestationEntryType: "hashedrekord" }, "ERROR default_attestation_entry_type "],
    [{ fulcioUrl: "http://ca.example" }, "ERROR fulcio_url "],
    [{ rekorUrl: "https://user:secret@log.example" }, "ERROR rekor_url "],
  ])("%j are refused", async (config, expected) => {
    const provider = await start({});
    const diagnostics = await createTerraformHarness(provider).validate(signingProvider, config);
    expect(summaries(diagnostics)).toEqual([expect.stringContaining(expected)]);
  });
});

describe("during the plan", () => {
  test("references are unknown until the content exists, so that dependents wait", async () => {
    const provider = await start({});
    const signed = await plan(provider, sign, { image });
    expect(signed.planned).toMatchObject({ signedRef: UNKNOWN, id: UNKNOWN, skipped: UNKNOWN });
    const attested = await plan(provider, attest, { image, predicates });
    expect(attested.planned).toMatchObject({ attestedRef: UNKNOWN, id: UNKNOWN });
    const copied = await plan(provider, copy, {
      source: image,
      destination: "registry.example/me",
    });
    expect(copied.planned).toMatchObject({ copiedRef: UNKNOWN, id: UNKNOWN });
  });

  describe.each([sign, attest])("of $type", (declaration) => {
    const config = { image, ...(declaration === attest && { predicates }) };

    test.each(["bundle", "both"] as const)(
      "a URL together with the provider's format %s is refused",
      async (defaultSignatureFormat) => {
        const provider = await start({ defaultSignatureFormat });
        for (const [name, wire] of [
          ["fulcioUrl", "fulcio_url"],
          ["rekorUrl", "rekor_url"],
        ] as const) {
          const own = { ...config, [name]: "https://own.example" };
          const { diagnostics } = await plan(provider, declaration, own);
          expect(summaries(diagnostics)).toEqual([`ERROR ${wire} URL Would Be Ignored`]);
          expect(details(diagnostics)).toContain("default_signature_format");
          const legacy = { ...own, signatureFormat: "legacy" };
          expect((await plan(provider, declaration, legacy)).diagnostics).toEqual([]);
        }
      },
    );

    test.each(["bundle", "both"] as const)(
      "a URL together with the resource's format %s is refused",
      async (signatureFormat) => {
        const provider = await start({});
        const own = { ...config, signatureFormat, rekorUrl: "https://own.example" };
        const resources = createTerraformHarness(provider).resource(declaration);
        const diagnostics = await resources.validate(own);
        expect(summaries(diagnostics)).toEqual([expect.stringMatching(/^ERROR rekor_url /)]);
        const planned = await plan(provider, declaration, own);
        expect(summaries(planned.diagnostics)).toEqual([
          expect.stringMatching(/^ERROR rekor_url /),
        ]);
      },
    );

    test("a URL together with an unknown format is accepted", async () => {
      const provider = await start({ defaultSignatureFormat: UNKNOWN });
      const own = { ...config, rekorUrl: "https://own.example" };
      expect((await plan(provider, declaration, own)).diagnostics).toEqual([]);
    });

    test("another image replaces it, other changes do not", async () => {
      const provider = await start({});
      const other = image.replace("ab", "cd");
      const state = {
        ...config,
        conflict: "SKIPSAME",
        fulcioUrl: "https://fulcio.sigstore.dev",
        rekorUrl: "https://rekor.sigstore.dev",
        id: image,
        skipped: false,
        [declaration === sign ? "signedRef" : "attestedRef"]: image,
      };
      const kept = { state, private: new Uint8Array() };
      expect((await plan(provider, declaration, config, kept)).planned).toMatchObject(state);
      const moved = await plan(provider, declaration, { ...config, image: other }, kept);
      expect(moved.replaces).toEqual(["image"]);
      for (const change of [
        { conflict: "REPLACE" },
        { signatureFormat: "both" },
        { rekorUrl: "https://own.example" },
      ]) {
        const changed = await plan(provider, declaration, { ...config, ...change }, kept);
        expect(changed.replaces).toEqual([]);
        expect(changed.planned).toMatchObject({ ...change, skipped: UNKNOWN });
      }
    });
  });

  test("another source or destination replaces a copy", async () => {
    const provider = await start({});
    const config = { source: image, destination: "registry.example/mine" };
    const copiedRef = image.replace("lab/app", "mine");
    const kept = { state: { ...config, id: copiedRef, copiedRef }, private: new Uint8Array() };
    const there = await plan(
      provider,
      copy,
      { ...config, destination: "registry.example/b" },
      kept,
    );
    expect(there.replaces).toEqual(["destination"]);
    const other = { ...config, source: image.replace("ab", "cd") };
    expect((await plan(provider, copy, other, kept)).replaces).toEqual(["source"]);
  });
});
