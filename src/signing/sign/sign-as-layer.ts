import { isDigest, tagOfDigest, type Digest } from "../oci/reference/digest";
import { formatRepository } from "../oci/reference/repository";
import { mergeSignature, planSignature } from "../conflict/signature-conflict";
import { digestOf } from "../sigstore/payload/digest-of";
import { simpleSigningPayload } from "../sigstore/payload/simple-signing";
import { attachedLayers } from "../attached/attached-layers";
import { findSignatures, type SignatureLayer } from "../attached/find-signatures";
import type { WrittenLayer } from "../run/written";
import { expectRoom } from "../attached/attached-manifest";
import { makeSignature } from "./make-signature";
import type { SigningRun } from "../run/signing-run";
import { remembered, writeLayers } from "../attached/write-layers";

/** Signs one image in the legacy format, unless ours is there and may stay. */
export async function signAsLayer(
  run: SigningRun,
  image: Digest,
): Promise<readonly WrittenLayer[]> {
  const { repository, services, context, conflict } = run;
  const dockerReference = formatRepository(repository);
  const payload = simpleSigningPayload({ dockerReference, digest: image });
  const digest = digestOf(payload);
  const tag = tagOfDigest(image, ".sig");
  const current = await services.registry.manifests.get(repository, tag, context);
  const layers = attachedLayers(current, tag);
  const existing =
    conflict === "APPEND" ? [] : await findSignatures(run, layers, { image, tag, payload, digest });
  const plan = planSignature(conflict, existing, digest);
  if (plan.action === "skip") {
    run.say("signed already", { image });
    return remembered(run, tag, layers, [plan.same.layer]);
  }
  expectRoom(layers.length + 1, tag);
  const made = await makeSignature(run, image, payload);
  const final = await writeLayers<SignatureLayer>(run, {
    tag,
    added: [made],
    ours: existing.filter(({ standing }) => standing === "ours").map(({ item }) => item),
    describe: (layer) => ({ layer, digest: digestNamedBy(layer) }),
    merge: (before, [added]) =>
      added === undefined ? [] : mergeSignature(conflict, before, added),
  });
  return remembered(run, tag, final.layers, final.added);
}

/** What is named in another way is nobody's, and has no digest that ours could have. */
function digestNamedBy({ digest }: SignatureLayer["layer"]): Digest {
  return typeof digest === "string" && isDigest(digest) ? digest : "sha256:";
}
