import { sign as signImage } from "./operations";
import { createTerraformHarness } from "../../../../src/core/provider-kit/testing";
import { UNKNOWN } from "../../../../src/core/schema";
import { sign } from "../../../../src/core/signing/sign/declare";
import {
  type DigestReference,
  formatRepository,
} from "../../../../src/core/signing/oci/reference/image-name";
import { tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import { details, summaries } from "../../provider-kit/server/protocol";
import { attachedTo } from "./attached";
import { inTime, openBench, type SigningBench } from "./signing-bench";
import {
  apply,
  connect,
  email,
  importState,
  make,
  plan,
  refresh,
  remove,
  start,
} from "../provider/signing";

const textOf = (image: DigestReference): string => `${formatRepository(image)}@${image.digest}`;

async function open(settings = {}) {
  const bench = await openBench();
  const image = await bench.pushImage("signed");
  const provider = await connect(bench.local, settings);
  return {
    bench,
    image,
    provider,
    config: { image: textOf(image) },
    found: attachedTo(bench, image),
  };
}

/** Settings with a signing config instead of URLs. */
const selected = ({ local }: SigningBench) => ({
  fulcioUrl: null,
  rekorUrl: null,
  signingConfig: local.files.signingConfig,
});

describe.each([
  ["legacy", [email], []],
  ["bundle", [], [email]],
  ["both", [email], [email]],
] as const)("in the format %s", (signatureFormat, signatures, bundles) => {
  test("an image is signed, and the next plan is empty", async () => {
    const { bench, provider, config, found } = await open({
      defaultSignatureFormat: signatureFormat,
    });
    const kept = await make(provider, sign, config);
    expect(kept.state).toMatchObject({
      id: config.image,
      signedRef: config.image,
      skipped: false,
      fulcioUrl: bench.local.addresses.certificateAuthority,
      rekorUrl: bench.local.addresses.transparencyLog,
    });
    expect(await found.signatures()).toEqual(signatures);
    expect(await found.bundles("signature")).toEqual(bundles);
    const refreshed = await refresh(provider, sign, kept);
    expect(refreshed).toMatchObject({ state: kept.state, diagnostics: [] });
    expect((await plan(provider, sign, config, kept)).planned).toEqual(kept.state);
  });

  test("a removed signature is detected and created again", async () => {
    const { bench, image, provider, found } = await open();
    const config = { image: textOf(image), signatureFormat };
    const kept = await make(provider, sign, config);
    const there = await bench.registry.referrers.list(bench.repository, image.digest, inTime());
    const tags = signatures.map(() => tagOfDigest(image.digest, ".sig"));
    for (const name of [...tags, ...there.referrers.map(({ digest }) => digest)]) {
      await remove(bench, name);
    }
    const refreshed = await refresh(provider, sign, kept);
    expect(refreshed.state).toBeNull();
    expect(summaries(refreshed.diagnostics)).toEqual(["WARNING - Signatures Are Missing"]);
    expect(details(refreshed.diagnostics)).toContain("The next apply creates them again");
    await make(provider, sign, config);
    expect(await found.signatures()).toEqual(signatures);
    expect(await found.bundles("signature")).toEqual(bundles);
  });
});

test("the resource's format takes precedence over the provider's", async () => {
  const { provider, config, found } = await open({ defaultSignatureFormat: "bundle" });
  await make(provider, sign, { ...config, signatureFormat: "legacy" });
  expect(await found.signatures()).toEqual([email]);
  expect(await found.bundles("signature")).toEqual([]);
});

describe.each(["legacy", "bundle"] as const)("of an index in the format %s", (signatureFormat) => {
  async function openIndex() {
    const { bench, image, provider } = await open();
    const index = await bench.pushIndex(image, await bench.pushImage("other"));
    const attached = attachedTo(bench, image);
    return {
      bench,
      image,
      provider,
      config: { image: textOf(index), signatureFormat },
      found: () =>
        signatureFormat === "legacy" ? attached.signatures() : attached.bundles("signature"),
    };
  }

  test("the images are signed too, and a removed signature of one is detected and created again", async () => {
    const { bench, image, provider, config, found } = await openIndex();
    const kept = await make(provider, sign, config);
    expect(await found()).toEqual([email]);
    expect((await refresh(provider, sign, kept)).diagnostics).toEqual([]);
    const tag = tagOfDigest(image.digest, ".sig");
    const [bundle] = await attachedTo(bench, image).bundleBytes();
    await remove(bench, bundle?.digest ?? tag);
    const refreshed = await refresh(provider, sign, kept);
    expect(refreshed.state).toBeNull();
    expect(details(refreshed.diagnostics)).toContain(bundle?.digest ?? tag);
    const logged = await bench.logSize();
    await make(provider, sign, config);
    expect(await found()).toEqual([email]);
    expect(await bench.logSize()).toBe(logged + 1);
  });

  test("recursive = false leaves them unsigned, and a change to true signs only them", async () => {
    const { bench, provider, config, found } = await openIndex();
    const kept = await make(provider, sign, { ...config, recursive: false });
    expect(await found()).toEqual([]);
    const changed = { ...config, recursive: true };
    const planned = await plan(provider, sign, changed, kept);
    expect(planned.replaces).toEqual([]);
    await make(provider, sign, changed, kept);
    expect(await found()).toEqual([email]);
    expect(await bench.logSize()).toBe(3);
  });

  test("destroying it keeps all signatures", async () => {
    const { provider, config, found } = await openIndex();
    const kept = await make(provider, sign, config);
    expect(
      (await createTerraformHarness(provider).resource(sign).destroy(kept)).diagnostics,
    ).toEqual([]);
    expect(await found()).toEqual([email]);
  });
});

describe("a change in place", () => {
  test("to REPLACE keeps one signature of ours, to APPEND adds one", async () => {
    const { bench, provider, config, found } = await open();
    const first = await make(provider, sign, config);
    const replaced = await make(provider, sign, { ...config, conflict: "REPLACE" }, first);
    expect(await found.signatures()).toEqual([email]);
    expect(await bench.logSize()).toBe(2);
    const appended = await make(provider, sign, { ...config, conflict: "APPEND" }, replaced);
    expect(await found.signatures()).toHaveLength(2);
    expect(await bench.logSize()).toBe(3);
    expect((await refresh(provider, sign, appended)).state).toEqual(appended.state);
  });

  test("of the format adds what is missing, and signs nothing twice", async () => {
    const { bench, provider, config, found } = await open();
    const legacy = await make(provider, sign, { ...config, signatureFormat: "legacy" });
    await make(provider, sign, { ...config, signatureFormat: "both" }, legacy);
    expect(await found.signatures()).toEqual([email]);
    expect(await found.bundles("signature")).toEqual([email]);
    expect(await bench.logSize()).toBe(2);
  });

  test("keeps the reference known", async () => {
    const { provider, config } = await open();
    const kept = await make(provider, sign, config);
    const { planned } = await plan(provider, sign, { ...config, conflict: "REPLACE" }, kept);
    expect(planned).toMatchObject({ signedRef: config.image, id: config.image, skipped: UNKNOWN });
  });
});

test("destroying it keeps the signature", async () => {
  const { provider, config, found } = await open();
  const kept = await make(provider, sign, config);
  const destroyed = await createTerraformHarness(provider).resource(sign).destroy(kept);
  expect(destroyed.stored).toBeUndefined();
  expect(destroyed.diagnostics).toEqual([]);
  expect(await found.signatures()).toEqual([email]);
});

describe("an import", () => {
  test("finds our signature, and plans nothing", async () => {
    const { bench, image, provider, config } = await open();
    await make(provider, sign, config);
    const { stored, diagnostics } = await importState(provider, sign, config.image);
    expect(diagnostics).toEqual([]);
    const found = await refresh(provider, sign, stored ?? { state: {} });
    expect(found.diagnostics).toEqual([]);
    expect(found.state).toMatchObject({ conflict: "SKIPSAME", skipped: false, ...bench.urls });
    const kept = { state: found.state ?? {}, private: found.private };
    const next = await plan(provider, sign, config, kept);
    expect(next).toMatchObject({ planned: kept.state, diagnostics: [] });
    expect(await bench.logSize()).toBe(1);
    await remove(bench, tagOfDigest(image.digest, ".sig"));
    expect((await refresh(provider, sign, kept)).state).toBeNull();
  });

  test("of an image without our signature is an update, which signs it", async () => {
    const { bench, image, provider, config, found } = await open();
    await signImage(bench, bench.person("eve@example.com"), image);
    const { stored: imported = { state: {} } } = await importState(provider, sign, config.image);
    const { state } = imported;
    expect(await refresh(provider, sign, imported)).toMatchObject({ state, diagnostics: [] });
    expect(await bench.logSize()).toBe(1);
    const planned = await plan(provider, sign, config, imported);
    expect(planned.replaces).toEqual([]);
    expect(summaries(planned.diagnostics)).toEqual([
      "WARNING - Imported Resource Is Completed By The Apply",
    ]);
    expect(details(planned.diagnostics)).toContain("writes only what is missing");
    const applied = await apply(provider, sign, config, imported);
    const kept = { state: applied.state ?? {}, private: applied.private };
    expect(await found.signatures()).toEqual(["eve@example.com", email]);
    const next = await plan(provider, sign, config, kept);
    expect(next).toMatchObject({ planned: kept.state, diagnostics: [] });
  });

  test("warns if it cannot look for our signature", async () => {
    const { provider } = await open();
    const missing = `127.0.0.1:1/lab/app@sha256:${"a".repeat(64)}`;
    const { stored = { state: {} } } = await importState(provider, sign, missing);
    const { state, diagnostics } = await refresh(provider, sign, stored);
    expect(state).toEqual(stored.state);
    expect(summaries(diagnostics)).toEqual(["WARNING - Imported Without Its Signatures"]);
  });

  test("is completed by the services that a signing config selects", async () => {
    const { bench, provider, config } = await open();
    await make(provider, sign, config);
    const able = await connect(bench.local, selected(bench));
    const { stored } = await importState(able, sign, config.image);
    const { state, private: record } = await apply(able, sign, config, stored ?? { state: {} });
    expect(state).toMatchObject(bench.urls);
    const kept = { state: state ?? {}, private: record };
    expect((await plan(able, sign, config, kept)).planned).toEqual(state);
  });

  test.each(["lab/app", "127.0.0.1:5000/lab/app:v1", "", "a@sha256:12"])(
    "of %j is refused",
    async (id) => {
      const provider = await start({});
      const { diagnostics } = await importState(provider, sign, id);
      expect(summaries(diagnostics)).toEqual(["ERROR - Invalid Import ID"]);
    },
  );
});

describe("without an identity", () => {
  const nobody = { identityToken: null };

  test("signing fails, and explains what to do", async () => {
    const { provider, config, found } = await open(nobody);
    const { state, diagnostics } = await apply(provider, sign, config);
    expect(state).toBeNull();
    expect(summaries(diagnostics)).toEqual(["ERROR - No Identity To Sign With"]);
    expect(details(diagnostics)).toContain("skip_without_identity");
    expect(await found.signatures()).toEqual([]);
  });

  test("where that is allowed, an image is not signed: a warning and a flag", async () => {
    const settings = { ...nobody, skipWithoutIdentity: true };
    const { bench, provider, config, found } = await open(settings);
    const { state, diagnostics, private: record } = await apply(provider, sign, config);
    expect(state).toMatchObject({ skipped: true, signedRef: config.image });
    expect(summaries(diagnostics)).toEqual(["WARNING - Image Not Signed"]);
    expect(await found.tagged(".sig")).toBeUndefined();
    expect(await bench.logSize()).toBe(0);

    const kept = { state: state ?? {}, private: record };
    expect((await refresh(provider, sign, kept)).state).toEqual(state);
    expect((await plan(provider, sign, config, kept)).planned).toEqual(state);
  });

  test("a skipped image is signed by the first apply with an identity", async () => {
    const { bench, provider, config, found } = await open({ ...nobody, skipWithoutIdentity: true });
    const { state, private: record } = await apply(provider, sign, config);
    const able = await connect(bench.local, { skipWithoutIdentity: true });
    const kept = { state: state ?? {}, private: record };
    expect((await plan(able, sign, config, kept)).planned).toMatchObject({ skipped: UNKNOWN });
    expect((await make(able, sign, config, kept)).state).toMatchObject({ skipped: false });
    expect(await found.signatures()).toEqual([email]);
  });
});
