import { readFileSync } from "node:fs";
import type { CallContext } from "../src/core/http/call-context";
import { createHttpClient } from "../src/core/http/client";
import { readIdentityToken } from "../src/core/signing/sigstore/service/identity-token";
import { createRegistryClient } from "../src/core/signing/oci/registry/client";
import type { SigningServices } from "../src/core/signing/provider/services";
import { loadTrust } from "../src/core/signing/sigstore/trust/load-trust";
import type { DigestReference, Repository } from "../src/core/signing/oci/reference/image-name";
import { signerSource } from "../src/core/signing/sigstore/service/signer-source";

/** Creates a call context with a deadline in an hour. */
export const anHour = (): CallContext => ({
  signal: new AbortController().signal,
  deadline: Date.now() + 3_600_000,
});

/** Creates the service clients as the provider does, from the files of the local services. */
export async function signingClient(files: {
  readonly trustedRoot: string;
  readonly identityToken: string;
}): Promise<SigningServices> {
  const { trustedRoot, identityToken } = files;
  const http = createHttpClient();
  const trust = await loadTrust({ trustedRoot, environment: {}, signal: anHour().signal });
  const identity = () =>
    Promise.resolve(readIdentityToken(readFileSync(identityToken, "utf8").trim(), "the services"));
  return {
    http,
    registry: createRegistryClient({ http }),
    signer: signerSource({ http, identity, now: Date.now }),
    trust: () => Promise.resolve(trust),
    now: () => new Date(),
  };
}

/** Pushes an image with these layers. */
export async function pushImage(
  { registry }: Pick<SigningServices, "registry">,
  repository: Repository,
  layers: readonly Uint8Array[],
): Promise<DigestReference> {
  const context = anHour();
  const { uploads, manifests } = registry;
  const config = await uploads.put(
    repository,
    Buffer.from('{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":[]}}'),
    context,
  );
  const pushed = [];
  for (const layer of layers) pushed.push(await uploads.put(repository, layer, context));
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const json = {
    schemaVersion: 2,
    mediaType,
    config: { ...config, mediaType: "application/vnd.oci.image.config.v1+json" },
    layers: pushed.map((layer) => ({
      ...layer,
      mediaType: "application/vnd.oci.image.layer.v1.tar+gzip",
    })),
  };
  const bytes = Buffer.from(JSON.stringify(json));
  const { digest } = await manifests.put(repository, { mediaType, bytes }, context);
  return { ...repository, digest };
}
