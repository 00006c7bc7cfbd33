import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { startBackground } from "../background";
import { createRegistryClient } from "../../src/signing/oci/registry/client";
import { tagOfDigest } from "../../src/signing/oci/reference/digest";
import { formatRepository } from "../../src/signing/oci/reference/repository";
import { anHour, pushImage } from "../signing-client";
import type { Comparison } from "./comparison";

/**
 * Signs one image in the legacy format, which is the default of both providers. cosign's provider
 * accepts URLs of services for this format only: for bundles, it takes them from a TUF repository.
 */
export const signing: Comparison = {
  provider: "signing",
  piece: "one image to sign",
  peer: { name: "cosign", localName: "cosign" },
  target: 0.8,
  async open(folder) {
    const services = await startBackground("serve-signing", folder);
    const registry = createRegistryClient();
    const { fulcioUrl, rekorUrl, trustedRoot, identityToken = "", ctLogPublicKey } = services.facts;
    const repository = { registry: services.facts["registry"] ?? "", path: "bench/app" };
    let signature = "";
    const variable = { image: { type: "string" } };
    return {
      ours: {
        variable,
        provider: {
          signing: { fulcio_url: fulcioUrl, rekor_url: rekorUrl, trusted_root: trustedRoot },
        },
        resource: { signing_sign: { app: { image: "${var.image}" } } },
      },
      theirs: {
        variable,
        provider: { cosign: {} },
        resource: {
          cosign_sign: {
            app: { image: "${var.image}", fulcio_url: fulcioUrl, rekor_url: rekorUrl },
          },
        },
      },
      environment: { SIGSTORE_CT_LOG_PUBLIC_KEY_FILE: ctLogPublicKey ?? "" },
      async prepare() {
        const image = await pushImage({ registry }, repository, [randomBytes(1024)]);
        signature = tagOfDigest(image.digest, ".sig");
        return {
          TF_VAR_image: `${formatRepository(image)}@${image.digest}`,
          SIGSTORE_ID_TOKEN: readFileSync(identityToken, "utf8").trim(),
        };
      },
      async confirm() {
        // Without an identity token, cosign's provider leaves images unsigned, with a warning.
        if ((await registry.manifests.head(repository, signature, anHour())) === undefined) {
          throw new Error(`the image was not signed: ${signature} does not exist`);
        }
      },
      async close() {
        await registry.close();
        await services.close();
      },
    };
  },
};
