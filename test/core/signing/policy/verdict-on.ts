import type { Digest } from "../../../../src/core/signing/oci/reference/descriptor";
import {
  evaluatePolicies,
  type PolicyInput,
} from "../../../../src/core/signing/policy/evaluate-policies";
import type { ImageVerdict } from "../../../../src/core/signing/policy/image-verdict";
import type { Candidate } from "../../../../src/core/signing/policy/policy-evidence";
import type { LegacyLayer } from "../../../../src/core/signing/sigstore/format/manifest";
import type { TrustMaterial } from "../../../../src/core/signing/sigstore/trust/trusted-root";
import { policiesOf } from "./policy-texts";
import type { Attached } from "../../../../src/core/signing/sigstore/verification/verify-attached";

const nobody: TrustMaterial = {
  certificateAuthorities: [],
  transparencyLogs: [],
  certificateLogs: [],
  timestampAuthorities: [],
};

/** The verdict on an image to which nothing is attached, except for what a test gives. */
export const verdictOn = (
  text: string,
  digest: Digest,
  given: Partial<PolicyInput> = {},
): Promise<ImageVerdict> =>
  evaluatePolicies({
    policies: policiesOf(text),
    image: {
      repository: { registry: "registry.example", path: "team/app" },
      digest,
      given: "registry.example/team/app:v1",
    },
    context: { signal: new AbortController().signal, deadline: Date.now() + 3_600_000 },
    trust: () => Promise.resolve(nobody),
    signatures: () => Promise.resolve([]),
    attestations: () => Promise.resolve([]),
    ...given,
  });

/** What a refusal says; "accepted" if there is none. */
export const wordsOf = ({ accepted, text }: ImageVerdict): string => (accepted ? "accepted" : text);

const candidate = (label: string, content: Attached): Candidate => ({
  label,
  read: () => Promise.resolve(content),
});

export const foundLayer = (label: string, layer: LegacyLayer): Candidate =>
  candidate(label, { kind: "layer", layer });

export const foundBundle = (label: string, bytes: Uint8Array): Candidate =>
  candidate(label, { kind: "bundle", bytes: Buffer.from(bytes) });
