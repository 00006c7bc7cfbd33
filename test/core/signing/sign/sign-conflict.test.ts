import { serviceError } from "../../../../src/core/signing/sigstore/service/call-service";
import { type Digest, tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import { attachedTo } from "./attached";
import { sign } from "./operations";
import { inTime, openBench, restless, type SigningBench } from "./signing-bench";
import { annotation } from "../../../../src/core/signing/sigstore/format/manifest";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import {
  type Written,
  annotationsOf,
  attachedLayers,
} from "../../../../src/core/signing/sign/attached-layers";
import type { Properties } from "../../../../src/core/json/plain-json";

const ada = "ada@example.com";
const eve = "eve@example.com";

async function writeTag(bench: SigningBench, image: DigestReference, json: object) {
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, ...json }));
  const tag = tagOfDigest(image.digest, ".sig");
  await bench.registry.manifests.put(bench.repository, { mediaType, bytes }, inTime(), { tag });
}

async function layersOf(bench: SigningBench, image: DigestReference) {
  return attachedLayers(await attachedTo(bench, image).tagged(".sig"), ".sig");
}

const nobody = () => Promise.reject(serviceError("NO_IDENTITY", "There is nobody."));

describe("SKIPSAME", () => {
  it("neither signs nor logs what the same signer has signed", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const first = await sign(bench, bench.person(ada), image, { format: "both" });
    const again = bench.person(ada);
    expect(await sign(bench, again, image, { format: "both" })).toEqual(first);
    expect(await bench.logSize()).toBe(2);
    expect(again.asked()).toBe(1);
  });

  it("signs despite signatures of others", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    for (const person of [eve, ada, eve]) {
      await sign(bench, bench.person(person), image, { format: "both" });
    }
    expect(await attachedTo(bench, image).signatures()).toEqual([eve, ada]);
    expect(await attachedTo(bench, image).bundles("signature")).toEqual([ada, eve]);
  });

  it("recognizes ours from the record, without a token", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    await sign(bench, bench.person(eve), image, { format: "both" });
    const previous = await sign(bench, bench.person(ada), image, { format: "both" });
    const person = bench.person(ada, { signer: nobody });
    expect(await sign(bench, person, image, { format: "both", previous })).toEqual(previous);
  });

  it("needs a token if the decision depends on our identity", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    await sign(bench, bench.person(eve), image);
    const signing = sign(bench, bench.person(ada, { signer: nobody }), image);
    await expect(signing).rejects.toMatchObject({ code: "NO_IDENTITY" });
  });

  it("signs again when ours was tampered with", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const previous = await sign(bench, bench.person(ada), image);
    const [layer] = await layersOf(bench, image);
    const manifest = await attachedTo(bench, image).tagged(".sig");
    const annotations = { ...annotationsOf(layer ?? {}) };
    annotations[annotation.logBundle] = "{}";
    await writeTag(bench, image, { ...manifest?.json, layers: [{ ...layer, annotations }] });
    await sign(bench, bench.person(ada), image, { previous });
    expect(await attachedTo(bench, image).signatures()).toEqual([
      expect.stringMatching(/log/),
      ada,
    ]);
  });

  it("signs again when the payload is missing", async () => {
    const bench = await openBench();
    let isGone = false;
    const image = await bench.behindFaults(await bench.pushImage("one"), ({ method, path }) =>
      isGone && method === "GET" && path.includes("/blobs/")
        ? { kind: "answer", status: 404 }
        : undefined,
    );
    const previous = await sign(bench, bench.person(ada), image);
    isGone = true;
    await sign(bench, bench.person(ada), image, { previous });
    expect(await attachedTo(bench, image).signatures()).toEqual([ada, ada]);
  });

  it("removes our surplus bundles", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const options = { format: "bundle", conflict: "APPEND" } as const;
    for (const person of [ada, eve, ada]) await sign(bench, bench.person(person), image, options);
    await sign(bench, bench.person(ada), image, { format: "bundle" });
    expect(await attachedTo(bench, image).bundles("signature")).toEqual([ada, eve]);
    expect(await bench.logSize()).toBe(3);
  });
});

describe("REPLACE", () => {
  it("replaces ours, and only ours", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    for (const person of [eve, ada])
      await sign(bench, bench.person(person), image, { format: "both" });
    const [hers, before] = await layersOf(bench, image);
    const written = await sign(bench, bench.person(ada), image, {
      format: "both",
      conflict: "REPLACE",
    });
    const after = await layersOf(bench, image);
    expect(await attachedTo(bench, image).signatures()).toEqual([ada, eve]);
    expect(after[1]).toEqual(hers);
    expect(after).not.toContainEqual(before);
    expect(await attachedTo(bench, image).bundles("signature")).toEqual([ada, eve]);
    expect([written.layers.length, written.bundles.length]).toEqual([1, 1]);
  });

  it("keeps the new bundle when the old one cannot be removed after all, and says so", async () => {
    const bench = await openBench({}, restless);
    const kept: Digest[] = [];
    const image = await bench.behindFaults(await bench.pushImage("one"), ({ method, path }) =>
      method === "DELETE" && kept.some((digest) => path.endsWith(`/manifests/${digest}`))
        ? { kind: "answer", status: 503 }
        : undefined,
    );
    const keep = ({ bundles }: Written) => kept.push(...bundles.map(({ digest }) => digest));
    keep(await sign(bench, bench.person(ada), image, { format: "bundle" }));
    const warnings: string[] = [];
    const onWarning = (detail: string) => void warnings.push(detail);
    const written = await sign(bench, bench.person(ada, { onWarning }), image, {
      format: "bundle",
      conflict: "REPLACE",
    });
    expect(written.bundles).toHaveLength(1);
    expect(warnings).toEqual([
      expect.stringContaining("still verifies, because it could not be removed"),
    ]);
    expect(await attachedTo(bench, image).bundles("signature")).toEqual([ada, ada]);
    keep(written);
    await sign(bench, bench.person(ada), image, { format: "bundle" });
    expect(await attachedTo(bench, image).bundles("signature")).toEqual([ada, ada]);
  });
});

it("appends with APPEND in every case, and records all that is ours", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const options = { format: "both", conflict: "APPEND" } as const;
  const previous = await sign(bench, bench.person(ada), image, options);
  await sign(bench, bench.person(eve), image, options);
  const written = await sign(bench, bench.person(ada), image, { ...options, previous });
  expect(await attachedTo(bench, image).signatures()).toEqual([ada, eve, ada]);
  expect(await attachedTo(bench, image).bundles("signature")).toEqual([ada, ada, eve]);
  expect([written.layers.length, written.bundles.length]).toEqual([2, 2]);
});

it("keeps what others wrote unchanged, with unknown members", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const { digest } = await bench.registry.uploads.put(bench.repository, Buffer.from("x"), inTime());
  const foreign: Properties = {
    annotations: { zebra: "\u2028<&>", "dev.cosignproject.cosign/signature": "AA==", a: "" },
    x: [1.5, { y: null }],
    digest,
    mediaType: "application/vnd.example",
    size: 1,
  };
  const config = { mediaType: "application/vnd.example.config", digest, size: 1 };
  const annotations = { "org.example": "kept" };
  await writeTag(bench, image, { config, layers: [foreign], annotations, extra: { of: "others" } });
  await sign(bench, bench.person(ada), image);
  const manifest = await attachedTo(bench, image).tagged(".sig");
  const text = manifest?.bytes.toString("utf8") ?? "";
  expect(text).toContain(JSON.stringify(foreign));
  expect(manifest?.json).toMatchObject({ annotations, extra: { of: "others" } });
  expect(manifest?.json["config"]).toMatchObject({ mediaType: "application/vnd.example.config" });
});

it("signs nothing when the tag contains something else, or is full", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const tag = tagOfDigest(image.digest, ".sig");
  const index = await bench.pushIndex(image);
  const manifest = await bench.registry.manifests.get(bench.repository, index.digest, inTime());
  if (manifest === undefined) throw new Error("the index is not there");
  await bench.registry.manifests.put(bench.repository, manifest, inTime(), { tag });
  const signing = sign(bench, bench.person(ada), image);
  await expect(signing).rejects.toMatchObject({ code: "ATTACHMENTS_MALFORMED" });

  const { digest } = await bench.registry.uploads.put(bench.repository, Buffer.from("x"), inTime());
  const layer = { mediaType: "application/vnd.example", digest, size: 1 };
  const layers = new Array<object>(1_000).fill(layer);
  await writeTag(bench, image, { config: layer, layers });
  const another = sign(bench, bench.person(ada), image);
  await expect(another).rejects.toMatchObject({ code: "TOO_MANY_LAYERS" });
  expect(await bench.logSize()).toBe(0);
});
