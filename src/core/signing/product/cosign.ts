import type { Product } from "../../construct";
import { type ResourceRule, warning } from "../../schema";

const isSet = (value: unknown): boolean =>
  (value ?? null) !== null && !(Array.isArray(value) && value.length === 0);

/** Rejects a setting that cosign's provider does not have. */
function lacks(name: string, instead: string): ResourceRule {
  const message = `is not supported by the cosign provider: ${instead}`;
  return {
    code: "INVALID_ARGUMENT",
    severity: "error",
    inputs: [],
    doc: (label) => `cosign has no \`${label(name)}\``,
    broken: (values) => (isSet(values[name]) ? { name, message } : undefined),
  };
}

function sha256Only(name: string): ResourceRule {
  const message = "must have a sha256 digest: cosign supports no other";
  return {
    code: "INVALID_ARGUMENT",
    severity: "error",
    inputs: [],
    doc: () => "cosign has no images by sha512",
    broken: ({ [name]: value }) =>
      typeof value === "string" && value.includes("@sha512:") ? { name, message } : undefined,
  };
}

function registryOnly(name: string): ResourceRule {
  const message = "must be in a registry: cosign supports no image layouts";
  return {
    code: "INVALID_ARGUMENT",
    severity: "error",
    inputs: [],
    doc: () => "cosign has no image layouts",
    broken: ({ [name]: value }) =>
      typeof value === "string" && /^oci(?:-archive)?:(?!\d+\/)/.test(value)
        ? { name, message }
        : undefined,
  };
}

const keys =
  "it reads SIGSTORE_ROOT_FILE, SIGSTORE_REKOR_PUBLIC_KEY and SIGSTORE_CT_LOG_PUBLIC_KEY_FILE";

const onlyIdentity = "it signs only with an identity";

const service = "set it on each Sign and Attest, with the format `legacy`";

const forgotten = warning("copy-forgotten", "cosign forgets the destination of a copy");

/** Always warns: the stack does not show whether a refresh follows, and there is one before each plan. */
const copiedRef: ResourceRule = {
  code: "ADVICE",
  severity: "warning",
  warning: forgotten.code,
  inputs: [],
  doc: () => forgotten.doc,
  broken: () => ({
    name: "destination",
    message:
      "is forgotten by cosign 0.4.5 when Terraform refreshes: `copiedRef`, and everything that uses it, then refers to the source",
  }),
};

/** Our features that cosign's provider lacks or gets wrong. */
const cosignRefusals: Readonly<Record<string, readonly ResourceRule[]>> = {
  signing: [
    lacks("key", onlyIdentity),
    lacks("transparencyLog", onlyIdentity),
    lacks("fulcioUrl", service),
    lacks("rekorUrl", service),
    lacks("useRekorV2", "its release 0.4.5 cannot write to Rekor v2"),
    lacks("signingConfig", service),
    lacks("timestampUrl", "it cannot timestamp signatures"),
    lacks("trustedRoot", keys),
    lacks("identityToken", "it reads SIGSTORE_ID_TOKEN"),
    lacks("insecureIgnoreSct", "it needs an SCT in each certificate"),
    lacks("skipWithoutIdentity", "without an identity it always leaves images unsigned"),
    lacks("registries", "it reads Docker's configuration"),
  ],
  signing_sign: [
    lacks("key", onlyIdentity),
    lacks(
      "recursive",
      "it signs the images of an index only in the format `legacy`, and always there",
    ),
    sha256Only("image"),
  ],
  signing_attest: [
    lacks("key", onlyIdentity),
    lacks("recursive", "it attests only the index"),
    sha256Only("image"),
  ],
  signing_copy: [
    copiedRef,
    sha256Only("source"),
    registryOnly("source"),
    registryOnly("destination"),
    lacks("tags", "it sets no tags"),
    lacks("platforms", "it copies all platforms"),
    lacks("timeouts", "its copies have no time-out"),
  ],
  signing_verify: [
    lacks("recursive", "it verifies only the index"),
    lacks("name", "policies know an image only by its own name"),
    sha256Only("image"),
    registryOnly("image"),
  ],
};

/**
 * The provider `chainguard-dev/cosign`, for the public Sigstore services.
 *
 * @see https://registry.terraform.io/providers/chainguard-dev/cosign
 */
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
