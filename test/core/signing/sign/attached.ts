import {
  isDigest,
  tagOfDigest,
  type Digest,
  readDescriptors,
} from "../../../../src/core/signing/oci/reference/descriptor";
import type { Manifest } from "../../../../src/core/signing/oci/registry/manifests";
import type {
  Verification,
  VerificationRules,
  VerifiedAttestation,
  VerifiedSignature,
} from "../../../../src/core/signing/sigstore/verification/verification";
import { inTime, type SigningBench } from "./signing-bench";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { referrersOf } from "../oci/registry/referrers-of";
import { annotationsOf, attachedLayers } from "../../../../src/core/signing/sign/attached-layers";
import type { Properties } from "../../../../src/core/json/plain-json";
import {
  type BundlePurpose,
  verifyBundle,
} from "../../../../src/core/signing/sigstore/verification/verify-attached";
import { verifyAttestationLayer, verifySignatureLayer } from "../sigstore/verification/artefacts";

/** What is attached to an image, as strings that tests compare. */
export function attachedTo(bench: SigningBench, { digest }: DigestReference) {
  const { registry, repository } = bench;
  const anything = { contains: { source: "", isFoundIn: () => true } };
  const rules: VerificationRules = {
    trust: bench.trust,
    signer: { identities: [{ subject: anything, issuer: anything }] },
  };

  async function tagged(suffix: ".sig" | ".att"): Promise<Manifest | undefined> {
    return registry.manifests.get(repository, tagOfDigest(digest, suffix), inTime());
  }

  async function blobOf(layer: Properties): Promise<Buffer> {
    const name = String(layer["digest"]);
    if (!isDigest(name)) throw new Error("the layer has no digest");
    const size = Number(layer["size"]);
    return registry.blobs.get(repository, { digest: name, size }, inTime());
  }

  async function layersWith(
    suffix: ".sig" | ".att",
    describe: (result: AttachedVerification) => string = nameOf,
  ): Promise<readonly string[]> {
    const found: string[] = [];
    for (const layer of attachedLayers(await tagged(suffix), suffix)) {
      const blob = await blobOf(layer);
      const candidate = {
        mediaType: String(layer["mediaType"]),
        blob,
        annotations: annotationsOf(layer),
      };
      const verify = suffix === ".sig" ? verifySignatureLayer : verifyAttestationLayer;
      found.push(describe(verify(candidate, digest, rules)));
    }
    return found;
  }

  async function bundleBytes(): Promise<readonly { digest: Digest; bytes: Buffer }[]> {
    const found = await referrersOf(registry, repository, digest);
    return Promise.all(
      found.map(async (manifest) => {
        const [layer] = readDescriptors(manifest.json["layers"]);
        if (layer === undefined) throw new Error("the referrer has no layer");
        const bytes = await registry.blobs.get(repository, layer, inTime());
        return { digest: manifest.digest, bytes };
      }),
    );
  }

  return {
    tagged,
    bundleBytes,
    /** Who signed, in the order of the layers; a problem for layers that do not verify. */
    signatures: () => layersWith(".sig"),
    attestations: () => layersWith(".att"),
    bundles: async (purpose: BundlePurpose): Promise<readonly string[]> => {
      const bundles = await bundleBytes();
      return bundles.map(({ bytes }) => nameOf(verifyBundle(bytes, digest, purpose, rules))).sort();
    },
    /** What the attestations of a format claim, with who signed them. */
    claims: async (format: "legacy" | "bundle"): Promise<readonly string[]> => {
      if (format === "legacy") return layersWith(".att", claimOf);
      const bundles = await bundleBytes();
      return bundles.map(({ bytes }) => claimOf(verifyBundle(bytes, digest, "attestation", rules)));
    },
  };
}

function nameOf(result: Verification): string {
  if ("problem" in result) return result.problem;
  return result.signer.kind === "identity" ? result.signer.subject : result.signer.keyId;
}

type AttachedVerification = Verification<VerifiedSignature | VerifiedAttestation>;

function claimOf(result: AttachedVerification): string {
  if (!("statement" in result)) return nameOf(result);
  const { predicateType, predicate } = result.statement;
  return `${nameOf(result)}: ${predicateType} ${JSON.stringify(predicate)}`;
}
