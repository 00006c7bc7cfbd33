import { attestImage, type AttestRequest } from "../../../../src/core/signing/attest/attest-image";
import type { SigningRequest } from "../../../../src/core/signing/sign/signing-run";
import type { Written } from "../../../../src/core/signing/sign/attached-layers";
import { signImage } from "../../../../src/core/signing/sign/sign-image";
import { inTime, type Person, type SigningBench } from "./signing-bench";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";

/** Signs as a layer with `SKIPSAME`, unless told otherwise. */
export function sign(
  bench: SigningBench,
  { services }: Person,
  image: DigestReference,
  changes: Partial<SigningRequest> = {},
): Promise<Written> {
  const request = { image, conflict: "SKIPSAME", format: "legacy", ...bench.urls } as const;
  return signImage({ ...request, ...changes }, services, inTime());
}

export const predicateType = "https://example.com/check/v1";

/** Attests one predicate as a layer with `SKIPSAME`, unless told otherwise. */
export function attest(
  bench: SigningBench,
  { services }: Person,
  image: DigestReference,
  changes: Partial<AttestRequest> = {},
): Promise<Written> {
  const predicates = [{ type: predicateType, json: '{"passed":true}' }];
  const request = { image, predicates, conflict: "SKIPSAME", format: "legacy" } as const;
  return attestImage(
    { ...request, entryType: "intoto", ...bench.urls, ...changes },
    services,
    inTime(),
  );
}

/** An index as BuildKit writes it: an image, and an attestation manifest about it. */
export async function pushBuiltIndex(bench: SigningBench) {
  const image = await bench.pushImage("built");
  const about = await bench.pushImage("how it was built");
  const platform = (os: string, architecture: string) => ({ platform: { os, architecture } });
  const index = await bench.pushIndexOf([
    { image, more: platform("linux", "arm64") },
    {
      image: about,
      more: {
        ...platform("unknown", "unknown"),
        annotations: {
          "vnd.docker.reference.digest": image.digest,
          "vnd.docker.reference.type": "attestation-manifest",
        },
      },
    },
  ]);
  return { image, about, index };
}
