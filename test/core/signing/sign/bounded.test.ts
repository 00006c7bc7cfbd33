import { tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { attaching, content, filler, startFront, type FrontScript } from "../oci/registry/front";
import { attest, predicateType } from "../sign/operations";
import { openBench } from "../sign/signing-bench";

const mib = 1024 * 1024;
const bundleType = "application/vnd.dev.sigstore.bundle.v0.3+json";
const manifestType = "application/vnd.oci.image.manifest.v1+json";

/** Somebody attests an image, then others attach much to it, then it is attested again. */
async function attestTwice(
  format: "legacy" | "bundle",
  flood: (image: DigestReference) => FrontScript,
  { isRecorded }: { readonly isRecorded: boolean },
) {
  const bench = await openBench();
  const pushed = await bench.pushImage("flooded");
  let script: FrontScript = () => undefined;
  const front = await startFront(bench.local.addresses.registry, (...given) => script(...given));
  const image = { ...pushed, registry: front.host };
  const person = bench.person("dev@example.com");
  const first = await attest(bench, person, image, { format });
  script = flood(image);
  front.served.bytes = 0;
  const second = await attest(bench, person, image, {
    format,
    ...(isRecorded ? { previous: first } : {}),
  });
  return { first, second, logSize: await bench.logSize(), served: front.served.bytes };
}

const blobs = Array.from({ length: 40 }, (_, number) => filler(4 * mib, number));

const floods: readonly (readonly ["legacy" | "bundle", (image: DigestReference) => FrontScript])[] =
  [
    [
      "legacy",
      ({ digest }) =>
        attaching({
          tag: tagOfDigest(digest, ".att"),
          layers: blobs.map((blob) => ({
            mediaType: "application/vnd.dsse.envelope.v1+json",
            annotations: { predicateType },
            digest: blob.digest,
            size: blob.size,
          })),
          contents: blobs,
        }),
    ],
    [
      "bundle",
      ({ digest }) => {
        const manifests = blobs.map((blob) =>
          content(() =>
            Buffer.from(
              JSON.stringify({
                schemaVersion: 2,
                mediaType: manifestType,
                artifactType: bundleType,
                layers: [{ mediaType: bundleType, digest: blob.digest, size: blob.size }],
                subject: { mediaType: manifestType, digest, size: 1 },
              }),
            ),
          ),
        );
        return attaching({
          referrers: manifests.map((each) => ({
            mediaType: manifestType,
            artifactType: bundleType,
            digest: each.digest,
            size: each.size,
          })),
          contents: [...blobs, ...manifests],
        });
      },
    ],
  ];

describe.each(floods)("an image with 40 attestations of 4 MiB by others (%s)", (format, flood) => {
  it.each([true, false])(
    "is not attested again, and at most 64 MiB are read; with a record: %s",
    async (isRecorded) => {
      const { first, second, logSize, served } = await attestTwice(format, flood, { isRecorded });
      expect(second).toEqual(first);
      expect(logSize).toBe(1);
      expect(served).toBeLessThan(64 * mib);
    },
  );
});
