import type { Product } from "../../construct";
import { type ResourceRule, warning } from "../../schema";

const isSet = (value: unknown): boolean =>
  (value ?? null) !== null && !(Array.isArray(value) && value.length === 0);

function refused(
  name: string,
  doc: ResourceRule["doc"],
  message: string,
  isRefused: (value: unknown) => boolean,
): ResourceRule {
  return {
    code: "INVALID_ARGUMENT",
    severity: "error",
    inputs: [],
    doc,
    broken: (values) => (isRefused(values[name]) ? { name, message } : undefined),
  };
}

/** Rejects a setting that cosign's provider does not have. */
const lacks = (name: string, instead: string): ResourceRule =>
  refused(
    name,
    (label) => `cosign has no \`${label(name)}\``,
    `is not supported by the cosign provider: ${instead}`,
    isSet,
  );

const sha256Only = (name: string): ResourceRule =>
  refused(
    name,
    () => "cosign has no images by sha512",
    "must have a sha256 digest: cosign supports no other",
    (value) => typeof value === "string" && value.includes("@sha512:"),
  );

const registryOnly = (name: string): ResourceRule =>
  refused(
    name,
    () => "cosign has no image layouts",
    "must be in a registry: cosign supports no image layouts",
    (value) => typeof value === "string" && /^oci(?:-archive)?:(?!\d+\/)/.test(value),
  );

const keys =
  "it reads SIGSTORE_ROOT_FILE, SIGSTORE_REKOR_PUBLIC_KEY and SIGSTORE_CT_LOG_PUBLIC_KEY_FILE";

const onlyIdentity = "it signs only with an identity";

const service = "set it on each Sign and Attest, with the format `legacy`";

const forgotten = warning("copy-forgotten", "cosign forgets the destination of a copy");

/** Always warns, because there is a refresh before each plan. */
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

/** The features that cosign's provider lacks or gets wrong. */
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
