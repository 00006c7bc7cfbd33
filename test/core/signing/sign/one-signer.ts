import { createHttpClient } from "../../../../src/core/http/client";
import { attestImage } from "../../../../src/core/signing/attest/attest-image";
import { readIdentityToken } from "../../../../src/core/signing/sigstore/service/identity-token";
import { createRegistryClient } from "../../../../src/core/signing/oci/registry/client";
import { signImage } from "../../../../src/core/signing/sign/sign-image";
import { loadTrust } from "../../../../src/core/signing/sigstore/trust/load-trust";
import { parseDigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { signerSource } from "../../../../src/core/signing/sigstore/service/signer-source";

/** A separate process that signs and attests one image, for the tests of concurrency. */
async function main(): Promise<void> {
  const [image = "", fulcioUrl = "", rekorUrl = "", trustedRoot = "", token = ""] =
    process.argv.slice(2);
  const reference = parseDigestReference(image);
  if ("problem" in reference) throw new Error(reference.problem);
  const http = createHttpClient();
  const context = { signal: new AbortController().signal, deadline: Date.now() + 3_600_000 };
  const trust = await loadTrust({ trustedRoot, environment: {}, signal: context.signal });
  const identity = () => Promise.resolve(readIdentityToken(token, "the test"));
  const services = {
    http,
    registry: createRegistryClient({ http }),
    signer: signerSource({ http, identity, now: () => Date.now() }),
    trust: () => Promise.resolve(trust),
    now: () => new Date(),
  };
  const shared = { image: reference, conflict: "APPEND", format: "both" } as const;
  const urls = { fulcioUrl, rekorUrl };
  const predicates = [{ type: "https://example.com/check/v1", json: "{}" }];
  await Promise.all([
    signImage({ ...shared, ...urls }, services, context),
    attestImage({ ...shared, ...urls, predicates, entryType: "dsse" }, services, context),
  ]);
  await http.close();
}

void main();
