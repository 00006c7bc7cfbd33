import { attest } from "../../../../src/core/signing/attest/declare";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { tagOfDigest, digestOf } from "../../../../src/core/signing/oci/reference/descriptor";
import { predicateTypes } from "../../../../src/core/signing/predicate/predicate-type";
import { sign } from "../../../../src/core/signing/sign/declare";
import { details } from "../../provider-kit/server/protocol";
import {
  attaching,
  content,
  filler,
  startFront,
  type Attachments,
  type Content,
} from "../oci/registry/front";
import { connect, keyless, make, policyText, remove, verifyImage } from "../provider/signing";
import { inTime, openBench } from "../sign/signing-bench";
import { signPredicateType } from "../../../../src/core/signing/sigstore/format/statement";

const mib = 1024 * 1024;
const signatureType = "application/vnd.dev.cosign.simplesigning.v1+json";
const envelopeType = "application/vnd.dsse.envelope.v1+json";
const bundleType = "application/vnd.dev.sigstore.bundle.v0.3+json";
const manifestType = "application/vnd.oci.image.manifest.v1+json";

const layerOf = ({ digest, size }: Content, mediaType: string, annotations: object = {}) => ({
  mediaType,
  digest,
  size,
  annotations,
});

/** An image with a good signature of each kind, in a registry to which somebody added more. */
async function open(format: "legacy" | "bundle", kind: "sign" | "attest" = "sign") {
  const bench = await openBench();
  const image = await bench.pushImage("attacked");
  const provider = await connect(bench.local);
  const reference = `${image.registry}/${image.path}@${image.digest}`;
  const predicates = [{ type: "vuln", json: "{}" }];
  await (kind === "sign"
    ? make(provider, sign, { image: reference, signatureFormat: format })
    : make(provider, attest, { image: reference, predicates, signatureFormat: format }));
  const authority = keyless(bench.local, {
    signatureFormat: format,
    ...(kind === "sign" ? {} : { attestations: [{ name: "scan", predicateType: "vuln" }] }),
  });
  const policy = policyText(bench.local, { authorities: [authority] });
  return { bench, image, provider, policy };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Verifies the image in a registry in which somebody attached more to it. */
async function verifyThrough({ bench, image, provider, policy }: Opened, added: Attachments) {
  const front = await startFront(bench.local.addresses.registry, attaching(added));
  const reference = `${front.host}/${image.path}@${image.digest}`;
  return { ...(await verifyImage(provider, reference, policy)), front };
}

/** A manifest that refers to the image. */
const referrer = (image: DigestReference, layer: object, more: object = {}): Content =>
  content(() =>
    Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: manifestType,
        artifactType: bundleType,
        config: {
          mediaType: "application/vnd.oci.empty.v1+json",
          digest: digestOf(Buffer.from("{}")),
          size: 2,
        },
        layers: [layer],
        subject: { mediaType: manifestType, digest: image.digest, size: 1 },
        ...more,
      }),
    ),
  );

const listedAs = ({ digest, size }: Content, more: object = {}) => ({
  mediaType: manifestType,
  digest,
  size,
  artifactType: bundleType,
  ...more,
});

describe("what others attached to an image", () => {
  test("is read up to 64 MiB, and does not hide a signature: 24 layers of 4 MiB", async () => {
    const opened = await open("legacy");
    const contents = Array.from({ length: 24 }, (_, number) => filler(4 * mib, number));
    const { summaries, front, diagnostics } = await verifyThrough(opened, {
      tag: tagOfDigest(opened.image.digest, ".sig"),
      layers: contents.map((each) => layerOf(each, signatureType)),
      contents,
    });
    expect(summaries).toEqual(["WARNING image Note On The Verdict"]);
    expect(details(diagnostics)).toMatch(/at most 64 MiB .* so 9 of them were not read/);
    expect(front.served.bytes).toBeLessThan(64 * mib);
    expect(front.served.bytes).toBeGreaterThan(56 * mib);
  });

  test("is read up to 64 MiB, and does not hide a bundle: 24 manifests of 3 MiB", async () => {
    const opened = await open("bundle");
    const { image } = opened;
    const contents = Array.from({ length: 24 }, (_, number) =>
      referrer(image, {}, { annotations: { padding: `${number}`.padEnd(3 * mib) } }),
    );
    const { summaries, front, diagnostics } = await verifyThrough(opened, {
      referrers: contents.map((each) => listedAs(each)),
      contents,
    });
    expect(summaries).toEqual(["WARNING image Note On The Verdict"]);
    expect(details(diagnostics)).toMatch(/has 25 referrers .* only the smallest 22 were read/);
    expect(front.served.bytes).toBeLessThan(64 * mib);
  });

  test("is read up to 64 MiB, and does not hide a bundle: 20 bundles of 4 MiB", async () => {
    const opened = await open("bundle");
    const blobs = Array.from({ length: 20 }, (_, number) => filler(4 * mib, number));
    const manifests = blobs.map((blob) => referrer(opened.image, layerOf(blob, bundleType)));
    const { summaries, front } = await verifyThrough(opened, {
      referrers: manifests.map((each) => listedAs(each)),
      contents: [...blobs, ...manifests],
    });
    expect(summaries).toEqual(["WARNING image Note On The Verdict"]);
    expect(front.served.bytes).toBeLessThan(64 * mib);
  });

  test("is not read when it has another type", async () => {
    const opened = await open("legacy", "attest");
    const contents = Array.from({ length: 4 }, (_, number) => filler(4 * mib, number));
    const { summaries, front } = await verifyThrough(opened, {
      tag: tagOfDigest(opened.image.digest, ".att"),
      layers: contents.map((each, number) =>
        number % 2 === 0
          ? layerOf(each, "application/octet-stream")
          : layerOf(each, envelopeType, { predicateType: "https://example.com/other" }),
      ),
      contents,
    });
    expect(summaries).toEqual([]);
    expect(front.served.bytes).toBeLessThan(mib);
  });

  test("is not read as bundles when it has another type", async () => {
    const opened = await open("bundle", "attest");
    const blobs = Array.from({ length: 4 }, (_, number) => filler(4 * mib, number));
    const annotations = { "dev.sigstore.bundle.predicateType": "https://example.com/other" };
    const manifests = blobs.map((blob) =>
      referrer(opened.image, layerOf(blob, bundleType), { annotations }),
    );
    const { summaries, front } = await verifyThrough(opened, {
      referrers: manifests.map((each) => listedAs(each)),
      contents: [...blobs, ...manifests],
    });
    expect(summaries).toEqual([]);
    expect(front.served.bytes).toBeLessThan(mib);
  });

  test("is read when it is labelled as a signature, as cosign 2.6.4 labels attestations", async () => {
    const opened = await open("bundle", "attest");
    const { bench, image } = opened;
    const { registry } = bench;
    const bundles = await registry.referrers.list(bench.repository, image.digest, inTime());
    for (const { digest } of bundles.referrers) {
      const own = await registry.manifests.get(bench.repository, digest, inTime());
      const text = own?.bytes.toString().replace(predicateTypes.vuln, signPredicateType) ?? "";
      expect(text).toContain(signPredicateType);
      await remove(bench, digest);
      const bytes = Buffer.from(text);
      const mislabelled = { mediaType: manifestType, bytes, artifactType: bundleType };
      await registry.referrers.add(bench.repository, image.digest, mislabelled, inTime());
    }
    const { summaries } = await verifyThrough(opened, {});
    expect(summaries).toEqual([]);
    const unsigned = policyText(bench.local, {
      authorities: [keyless(bench.local, { signatureFormat: "bundle" })],
    });
    const asSignature = await verifyThrough({ ...opened, policy: unsigned }, {});
    expect(details(asSignature.diagnostics)).toContain("the bundle is not a signature");
  });

  test("is read once, however many signatures have the same payload", async () => {
    const opened = await open("legacy");
    const { summaries, front } = await verifyThrough(opened, {
      tag: tagOfDigest(opened.image.digest, ".sig"),
      layers: (own) => Array.from({ length: 50 }, () => own).flat(),
    });
    expect(summaries).toEqual([]);
    expect(front.requests.filter(({ url }) => url.includes("/blobs/"))).toHaveLength(1);
  });

  test("is named when the list of referrers is too long to be read", async () => {
    const opened = await open("bundle");
    const long = { mediaType: manifestType, annotations: { padding: "x".repeat(9 * mib) } };
    const { state, diagnostics } = await verifyThrough(opened, { referrers: [long] });
    expect(state).toBeUndefined();
    expect(details(diagnostics)).toMatch(/at least 0 referrers .* only the smallest 0 were read/);
  });

  test("is looked at up to 1,000 referrers, and the rest is named", async () => {
    const opened = await open("bundle");
    const gone = Array.from({ length: 1_200 }, (_, number) => filler(90, number));
    const { state, diagnostics } = await verifyThrough(opened, {
      referrers: (own) => [...gone.map((each) => listedAs(each)), ...own],
    });
    // The good one is larger than all of these.
    expect(state).toBeUndefined();
    expect(details(diagnostics)).toMatch(
      /has 1201 referrers that may be wanted, and only the smallest 1000 were read/,
    );
  });
});

const junk: readonly (readonly [string, Content])[] = [
  ["no JSON", content(() => Buffer.from("<html>"))],
  ["an escape in 6 MiB", content(() => Buffer.from(`{"payload":"${"a".repeat(6 * mib)}\\n"}`))],
  ["6 MiB of escapes", content(() => Buffer.from(`{"critical":"${"\\u0041".repeat(mib)}"}`))],
  ["a million levels", content(() => Buffer.from("[".repeat(mib) + "]".repeat(mib)))],
  [
    "six million empty objects",
    content(() => Buffer.from(`{"signatures":[${"{},".repeat(6 * mib)}{}]}`)),
  ],
  ["nothing", content(() => Buffer.alloc(0))],
  ["an envelope without anything", content(() => Buffer.from("{}"))],
];

describe.each(junk)("content that is no signature: %s", (_, blob) => {
  test.each(["legacy", "bundle"] as const)("is refused alone: %s", async (format) => {
    const opened = await open(format);
    const { summaries } = await verifyThrough(opened, added(opened, format, blob, [blob]));
    expect(summaries).toEqual([]);
    const alone = await verifyThrough(opened, {
      ...added(opened, format, blob, [blob]),
      ...(format === "legacy"
        ? {
            layers: () => [
              layerOf(blob, signatureType, { "dev.cosignproject.cosign/signature": "AAAA" }),
            ],
          }
        : { referrers: () => [listedAs(bundleWith(opened, blob))] }),
    });
    expect(alone.summaries).toEqual(["ERROR image Image Refused By Policy"]);
  });

  test("is refused alone as an attestation", async () => {
    const opened = await open("legacy", "attest");
    const { summaries } = await verifyThrough(opened, {
      tag: tagOfDigest(opened.image.digest, ".att"),
      layers: [layerOf(blob, envelopeType)],
      contents: [blob],
    });
    expect(summaries).toEqual([]);
  });
});

const bundleWith = ({ image }: Opened, blob: Content): Content =>
  referrer(image, layerOf(blob, bundleType));

function added(
  opened: Opened,
  format: "legacy" | "bundle",
  blob: Content,
  blobs: readonly Content[],
) {
  const manifest = bundleWith(opened, blob);
  return format === "legacy"
    ? {
        tag: tagOfDigest(opened.image.digest, ".sig"),
        layers: [layerOf(blob, signatureType, { "dev.cosignproject.cosign/signature": "AAAA" })],
        contents: blobs,
      }
    : { referrers: [listedAs(manifest)], contents: [...blobs, manifest] };
}

const missing = filler(100, 1);

test.each<readonly [string, object]>([
  ["a blob that is missing", layerOf(missing, signatureType)],
  ["a blob that is larger than any limit", { ...layerOf(missing, signatureType), size: 10 ** 12 }],
  ["a layer without a digest", { mediaType: signatureType, size: 1 }],
  ["a layer that is no object", []],
])("%s is refused alone", async (_, layer) => {
  const opened = await open("legacy");
  const tag = tagOfDigest(opened.image.digest, ".sig");
  const outcome = await verifyThrough(opened, { tag, layers: [layer] });
  expect(outcome.state).toBeDefined();
  const alone = await verifyThrough(opened, { tag, layers: () => [layer] });
  expect(alone.summaries).toEqual(["ERROR image Image Refused By Policy"]);
  expect(details(alone.diagnostics)).toContain("did not count (");
});

test.each<readonly [string, (opened: Opened) => readonly [Content, Partial<Content>]]>([
  ["a referrer that is gone", () => [missing, {}]],
  ["a referrer that is no JSON", () => [content(() => Buffer.from("<html>")), {}]],
  [
    "a referrer of a million levels",
    () => [content(() => Buffer.from(`{"a":${"[".repeat(mib)}${"]".repeat(mib)}}`)), {}],
  ],
  [
    "a referrer that is larger than it is listed",
    ({ image }) => [referrer(image, {}), { size: 20 }],
  ],
  [
    "a referrer that is not what its digest says",
    ({ image }) => [{ ...referrer(image, {}), digest: missing.digest }, {}],
  ],
  ["a referrer without a layer", ({ image }) => [referrer(image, {}, { layers: [] }), {}]],
])("%s is refused alone", async (name, make) => {
  const opened = await open("bundle");
  const [manifest, listed] = make(opened);
  const contents = name.endsWith("gone") ? [] : [manifest];
  const referrers = [listedAs({ ...manifest, ...listed })];
  const { summaries } = await verifyThrough(opened, { referrers, contents });
  expect(summaries).toEqual([]);
  const alone = await verifyThrough(opened, { referrers: () => referrers, contents });
  expect(alone.summaries).toEqual(["ERROR image Image Refused By Policy"]);
});

test("a source without a repository is that of the image, with its prefix of tags", async () => {
  const { bench, image, provider } = await open("legacy");
  const reference = `${image.registry}/${image.path}@${image.digest}`;
  const verdictFor = async (source: object) => {
    const authority = keyless(bench.local, { signatureFormat: "legacy", source: [source] });
    const text = policyText(bench.local, { authorities: [authority] });
    return details((await verifyImage(provider, reference, text)).diagnostics);
  };
  expect(await verdictFor({})).toBe("");
  expect(await verdictFor({ tagPrefix: "v1-" })).toContain("Needs `a legacy signature");
  const { manifests } = bench.registry;
  const tag = tagOfDigest(image.digest, ".sig");
  const signed = await manifests.get(image, tag, inTime());
  if (signed === undefined) throw new Error("there is no signature");
  await manifests.put(image, signed, inTime(), { tag: `v1-${tag}` });
  expect(await verdictFor({ tagPrefix: "v1-" })).toBe("");
});
