import { localKeySigner } from "../../../../../src/core/signing/sigstore/key/key-signer";
import {
  type DigestReference,
  formatRepository,
} from "../../../../../src/core/signing/oci/reference/image-name";
import type { SigningServices } from "../../../../../src/core/signing/provider/services";
import { attest, sign } from "../../sign/operations";
import { inTime, type SigningBench } from "../../sign/signing-bench";
import { attachEnvelope } from "../../verify/other-attachments";
import type { KeyPair } from "../policy-texts";

export const dev = "dev@example.com";
export const boss = "boss@example.com";

/** Not `vuln`: the policy controller drops what its structure for that type does not have. */
export const scanType = "https://example.com/scan/v1";
const scan = (critical: number) => ({ type: scanType, json: JSON.stringify({ critical }) });
const custom = { type: "https://example.com/check/v1", json: '{"passed":true}' };

/** Images that differ in who signed and attested them, and how: their references, by what they are. */
export async function makeImages(
  bench: SigningBench,
  ours: KeyPair,
  theirs: KeyPair,
): Promise<ReadonlyMap<string, string>> {
  const withKey = ({ privateKey }: KeyPair, isLogged = false): Partial<SigningServices> => ({
    key: { open: () => Promise.resolve(localKeySigner(privateKey)), isLogged },
  });
  const { timestampAuthority: timestampUrl } = bench.local.addresses;
  const byDev = bench.person(dev);
  const byBoss = bench.person(boss);
  const stamped = bench.person(dev, { timestampUrl });
  const byKey = bench.person(dev, withKey(ours));
  const byOtherKey = bench.person(dev, withKey(theirs));
  const logged = bench.person(dev, withKey(ours, true));
  const bundle = { format: "bundle" } as const;
  const makers: Readonly<Record<string, (image: DigestReference) => Promise<unknown>>> = {
    unsigned: () => Promise.resolve(),
    "by dev": (image) => sign(bench, byDev, image),
    "by boss": (image) => sign(bench, byBoss, image),
    "by dev, stamped": (image) => sign(bench, stamped, image),
    "by our key": (image) => sign(bench, byKey, image),
    "by another key": (image) => sign(bench, byOtherKey, image),
    "by our key, logged": (image) => sign(bench, logged, image),
    "by dev, as a bundle": (image) => sign(bench, byDev, image, bundle),
    "scanned by dev": (image) => attest(bench, byDev, image, { predicates: [scan(0)] }),
    "badly scanned by dev": (image) => attest(bench, byDev, image, { predicates: [scan(3)] }),
    "scanned by our key": (image) => attest(bench, byKey, image, { predicates: [scan(0)] }),
    "checked by dev": (image) => attest(bench, byDev, image, { predicates: [custom] }),
    "scanned by our key, outside of a bundle": (image) =>
      attachEnvelope(bench, image, ours, { type: scanType, predicate: { critical: 0 } }),
    "scanned by dev, as a bundle": (image) =>
      attest(bench, byDev, image, { predicates: [scan(0)], ...bundle }),
  };
  const images = new Map<string, string>();
  for (const [name, make] of Object.entries(makers)) {
    const image = await bench.pushImage(name);
    await make(image);
    images.set(name, `${formatRepository(image)}@${image.digest}`);
  }
  const configured = await pushConfigured(bench);
  await sign(bench, byDev, configured);
  images.set("on arm64, by dev", `${formatRepository(configured)}@${configured.digest}`);
  const both = await bench.pushImage("both");
  await sign(bench, byDev, both);
  await sign(bench, byKey, both);
  await attest(bench, byDev, both, { predicates: [scan(0), custom] });
  return images.set("signed and scanned", `${formatRepository(both)}@${both.digest}`);
}

/** An image with a configuration of a platform. */
async function pushConfigured({ registry, repository }: SigningBench): Promise<DigestReference> {
  const text = JSON.stringify({ os: "linux", architecture: "arm64", config: { User: "app" } });
  const config = await registry.uploads.put(repository, Buffer.from(text), inTime());
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const configType = "application/vnd.oci.image.config.v1+json";
  const json = { schemaVersion: 2, mediaType, config: { ...config, mediaType: configType } };
  const bytes = Buffer.from(JSON.stringify({ ...json, layers: [] }));
  const { digest } = await registry.manifests.put(repository, { mediaType, bytes }, inTime());
  return { ...repository, digest };
}
