import type { Product } from "../../construct";
import type { ResourceRule } from "../../schema";

const isGiven = (value: unknown): boolean =>
  (value ?? null) !== null && !(Array.isArray(value) && value.length === 0);

/** A setting that cosign's provider does not have. */
function lacks(name: string, instead: string): ResourceRule {
  const message = `must be left out for cosign, whose provider has no such setting: ${instead}`;
  return {
    code: "INVALID_ARGUMENT",
    severity: "error",
    inputs: [],
    doc: (label) => `cosign has no \`${label(name)}\``,
    broken: (values) => (isGiven(values[name]) ? { name, message } : undefined),
  };
}

const keys =
  "it reads SIGSTORE_ROOT_FILE, SIGSTORE_REKOR_PUBLIC_KEY and SIGSTORE_CT_LOG_PUBLIC_KEY_FILE";

const service = "give it to each Sign and Attest, with the format `legacy`";

/** It cannot be seen from a stack's text whether a refresh follows, and one does before each plan. */
const copiedRef: ResourceRule = {
  code: "ADVICE",
  severity: "warning",
  inputs: [],
  doc: () => "cosign forgets where a copy is",
  broken: () => ({
    name: "destination",
    message:
      "is forgotten by cosign 0.4.5 when Terraform refreshes: `copiedRef` then names the source, and so does what uses it",
  }),
};

/** What the provider of cosign lacks or gets wrong of what we offer. */
const cosignRefusals: Readonly<Record<string, readonly ResourceRule[]>> = {
  signing: [
    lacks("fulcioUrl", service),
    lacks("rekorUrl", service),
    lacks("timestampUrl", "it cannot have signatures time-stamped"),
    lacks("trustedRoot", keys),
    lacks("identityToken", "it reads SIGSTORE_ID_TOKEN"),
    lacks("skipWithoutIdentity", "without an identity it always leaves images unsigned"),
    lacks("registries", "it reads Docker's configuration"),
  ],
  signing_copy: [copiedRef],
};

/** The provider `chainguard-dev/cosign`, for the public Sigstore services. */
export const cosign = {
  name: "cosign",
  environmentPrefix: "TF_COSIGN",
  providers: {
    signing: {
      source: "chainguard-dev/cosign",
      version: "0.4.5",
      typePrefix: "cosign",
      refusals: cosignRefusals,
    },
  },
} as const satisfies Product;
