import { implementListResource, type ListContext } from "../../provider-kit";
import { listResource, required, t } from "../../schema";
import { attest } from "../attest/declare";
import { parseRepository } from "../oci/reference/image-name";
import { repositoryRule } from "../oci/reference/reference-rule";
import type { Signing } from "../provider/configure";
import { invalidReference, signingFailure } from "../provider/signing-failure";
import { sign } from "../sign/declare";
import type { BundlePurpose } from "../sigstore/verification/verify-attached";

const attributes = {
  repository: required(t.string(repositoryRule), {
    doc: "Repository whose images are listed: `registry/repository`.",
  }),
};

const signList = listResource(sign, {
  doc: "The images of a repository that have signatures by any signer, to import them. Of a signed index, only the index is listed.",
  attributes,
});

const attestList = listResource(attest, {
  doc: "The images of a repository that have attestations by any signer, to import them.",
  attributes,
});

/** What only a read knows. */
const unread = {
  conflict: null,
  key: null,
  fulcioUrl: null,
  rekorUrl: null,
  signatureFormat: null,
  recursive: null,
  skipped: null,
} as const;

/** Lists the signed images of a repository, for `terraform query`. */
export const signListHandler = implementListResource(signList)<Signing>({
  async *list({ repository }, context) {
    for await (const { image, displayName } of imagesIn(repository, "signature", context)) {
      const state = { ...unread, image, id: image, signedRef: image };
      yield { displayName, identity: { image }, state };
    }
  },
});

/** Lists the attested images of a repository, for `terraform query`. */
export const attestListHandler = implementListResource(attestList)<Signing>({
  async *list({ repository }, context) {
    for await (const { image, displayName } of imagesIn(repository, "attestation", context)) {
      const none = { predicate: null, predicateType: null, predicates: [], predicateFiles: [] };
      const state = { ...unread, ...none, image, id: image, attestedRef: image };
      yield { displayName, identity: { image }, state };
    }
  },
});

async function* imagesIn(
  text: string,
  kind: BundlePurpose,
  { client, signal, warn }: ListContext<Signing>,
) {
  const repository = parseRepository(text);
  if ("problem" in repository) throw invalidReference("repository", repository.problem);
  // Imported late, as all clients are.
  const { signedImages } = await import("./signed-images.js");
  const notes = new Set<string>();
  try {
    const { registry } = await client.services();
    const context = { signal, deadline: Date.now() + client.timeoutMs };
    const place = { registry, repository, context };
    for await (const { digest, tag } of signedImages(place, kind, (each) => notes.add(each))) {
      const name = tag === undefined ? `@${digest}` : `:${tag}`;
      yield { image: `${text}@${digest}`, displayName: `${text}${name}` };
    }
  } catch (error) {
    throw signingFailure(error, `Listing the images of ${text}`);
  }
  if (notes.size === 0) return;
  const detail = [...notes].slice(0, 5).join("; ");
  warn({
    summary: "Images May Be Missing",
    detail: `In ${text}, not everything was read: ${detail}.`,
  });
}
