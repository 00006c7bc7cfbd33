import { createHttpClient } from "../../../src/http/client";
import { attestImage } from "../../../src/signing/attest/attest-image";
import { readIdentityToken } from "../../../src/signing/sigstore/identity/identity-token";
import { createRegistryClient } from "../../../src/signing/oci/registry/client";
import { signImage } from "../../../src/signing/sign/sign-image";
import { loadTrust } from "../../../src/signing/sigstore/trust/load-trust";
import { parseDigestReference } from "../../../src/signing/oci/reference/image-name";
import { signerSource } from "../../../src/signing/sigstore/identity/signer-source";

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
