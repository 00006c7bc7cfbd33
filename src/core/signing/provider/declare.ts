import {
  block,
  conflicts,
  durationRule,
  enumMeanings,
  enumValues,
  optional,
  provider,
  required,
  type ResourceRule,
  stringRule,
  t,
  serviceUrl,
} from "../../schema";
import { keyReferenceRule } from "../sigstore/key/key-reference";

export const publicUrls = {
  fulcioUrl: "https://fulcio.sigstore.dev",
  rekorUrl: "https://rekor.sigstore.dev",
} as const;

/** The URL of a service: https, or http on this machine. */
export const serviceUrlRule = stringRule([
  [
    serviceUrl,
    "must be an https URL, or an http URL of this machine such as http://127.0.0.1:3000, without user information, query string or fragment",
  ],
]);

/** A registry as image references name it. Settings for anything else would silently have no effect. */
const registryHostRule = stringRule([
  [
    /^(?:[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/,
    "must be a host, with the port if needed, such as registry.example.com or 127.0.0.1:5000, without scheme and path",
  ],
]);

/** How a signature or an attestation is stored. */
export const signatureFormats = {
  legacy: "stores it as an image under a tag such as `sha256-….sig`",
  bundle: "stores it as a Sigstore bundle that refers to the image",
  both: "stores it in both formats",
} as const;

/** Type of the transparency log entry for a legacy attestation. */
export const attestationEntryTypes = {
  intoto: "records the digests of the envelope and of the statement",
  dsse: "records the digests of the envelope and of the statement, and the signatures",
} as const;

/** Entries of Rekor v2 have no time, so a private log needs a timestamp authority as well. */
const timestampForRekorV2: ResourceRule<"useRekorV2" | "rekorUrl" | "timestampUrl"> = {
  code: "MISSING",
  severity: "error",
  inputs: ["useRekorV2", "rekorUrl", "timestampUrl"],
  doc: (label) =>
    `\`${label("timestampUrl")}\` must be set if \`${label("useRekorV2")}\` and \`${label("rekorUrl")}\` are: ` +
    "entries of Rekor v2 have no time",
  broken: ({ useRekorV2, rekorUrl, timestampUrl }) =>
    useRekorV2 === true && (rekorUrl ?? "") !== "" && (timestampUrl ?? "") === ""
      ? { name: "timestampUrl", message: "is required for Rekor v2, whose entries have no time" }
      : undefined,
};

const unlogged: ResourceRule<"transparencyLog" | "rekorUrl" | "useRekorV2"> = {
  code: "CONFLICT",
  severity: "error",
  inputs: ["transparencyLog", "rekorUrl", "useRekorV2"],
  doc: (label) =>
    `\`${label("transparencyLog")}\` cannot be false if \`${label("rekorUrl")}\` or \`${label("useRekorV2")}\` is set`,
  broken: ({ transparencyLog, rekorUrl, useRekorV2 }) =>
    transparencyLog === false && ((rekorUrl ?? "") !== "" || useRekorV2 === true)
      ? { name: "transparencyLog", message: "cannot be false if a log is set" }
      : undefined,
};

export const signingProvider = provider("signing", {
  doc:
    "Signs, attests, copies and verifies container images. Its signatures and attestations are compatible " +
    "with the usual command-line tools, in both directions.",
  attributes: {
    defaultAttestationEntryType: optional(t.oneOf(enumValues(attestationEntryTypes)), {
      doc:
        "Type of the transparency log entry for legacy attestations: " +
        `${enumMeanings(attestationEntryTypes)} By default \`intoto\`.`,
    }),
    defaultSignatureFormat: optional(t.oneOf(enumValues(signatureFormats)), {
      doc:
        "How signatures and attestations are stored when the resource does not set a format: " +
        `${enumMeanings(signatureFormats)} By default \`legacy\`.`,
    }),
    timeout: optional(t.string(durationRule), {
      doc:
        "Timeout for signing, attesting or verifying one image, including all requests to the registry " +
        "and to the services, such as `5m`. By default `3m`.",
    }),
    key: optional(t.string(keyReferenceRule), {
      doc:
        "Private key to sign with instead of an identity, for resources that do not set one: a path, `env://NAME` " +
        "for an environment variable with the key, or the URI of a key in a key-management service. The password " +
        "of an encrypted key is read from `COSIGN_PASSWORD`. By default an identity signs.",
    }),
    transparencyLog: optional(t.bool(), {
      doc:
        "Whether signatures with a key are written to the transparency log. If false, signing with an identity is " +
        "an error: such signatures are always logged. By default true.",
    }),
    fulcioUrl: optional(t.string(serviceUrlRule), {
      doc:
        "URL of the certificate authority, for bundles and for resources that do not set one. By default " +
        "`https://fulcio.sigstore.dev`.",
    }),
    rekorUrl: optional(t.string(serviceUrlRule), {
      doc:
        "URL of the transparency log, for bundles and for resources that do not set one. By default " +
        "`https://rekor.sigstore.dev`.",
    }),
    useRekorV2: optional(t.bool(), {
      doc:
        "Whether bundles are logged in version 2 of the transparency log (Rekor v2): in the log at `rekor_url`, which " +
        "then also needs `timestamp_url`, or without `rekor_url` in the public log, with the public timestamp " +
        "authority. The format `legacy` always uses version 1. By default false.",
    }),
    signingConfig: optional(t.string(), {
      doc:
        "Services to sign with, instead of URLs: the path or the content of a signing config " +
        "(`application/vnd.dev.sigstore.signingconfig.v0.2+json`). Its validity periods and selectors are followed; " +
        "`ANY` selects the newest service.",
      env: ["TRIVET_SIGNING_CONFIG"],
    }),
    timestampUrl: optional(t.string(serviceUrlRule), {
      doc:
        "URL of a timestamp authority (RFC 3161) that timestamps signatures in addition to the log. By " +
        "default, no timestamp is requested.",
    }),
    trustedRoot: optional(t.string(), {
      doc:
        "Trusted certificates and keys: the path or the content of a `trusted_root.json`, or of several " +
        "with one on each line, as `gh attestation trusted-root` prints them. Needed for private services, and to verify without a network. What it does not list is read from " +
        "the PEM files in `SIGSTORE_ROOT_FILE`, `SIGSTORE_REKOR_PUBLIC_KEY`, " +
        "`SIGSTORE_CT_LOG_PUBLIC_KEY_FILE` and `SIGSTORE_TSA_CERTIFICATE_FILE`. By default the trusted root " +
        "of the public services, which is fetched on first use and cached.",
      env: ["TRIVET_TRUSTED_ROOT"],
    }),
    identityToken: optional(t.string(), {
      doc:
        "OpenID Connect token of the signer, for the audience `sigstore`. By default the token in the file " +
        "`/var/run/sigstore/cosign/oidc-token`, or one from GitHub Actions, Buildkite, Google Cloud or SPIFFE.",
      sensitive: true,
      env: ["SIGSTORE_ID_TOKEN"],
    }),
    insecureIgnoreSct: optional(t.bool(), {
      doc:
        "Whether to sign with certificates that are in no certificate transparency log (that have no SCT), " +
        "because they are from a private certificate authority without such a log. A certificate that the authority " +
        "issued to somebody else then goes unnoticed, and policies accept the signatures only with " +
        "`insecureIgnoreSCT: true`. By default false.",
    }),
    skipWithoutIdentity: optional(t.bool(), {
      doc:
        "Whether to leave images unsigned, with a warning, when there is no identity token. By default " +
        "false: a missing token is an error.",
    }),
  },
  blocks: {
    registries: block.list(
      {
        attributes: {
          host: required(t.string(registryHostRule), {
            doc: "Host of the registry, with the port if needed.",
          }),
          username: optional(t.string(), { doc: "User name." }),
          password: optional(t.string(), { doc: "Password or access token.", sensitive: true }),
          plainHttp: optional(t.bool(), {
            doc: "Whether to connect without TLS. By default true only for registries on this machine.",
          }),
        },
      },
      {
        doc:
          "Credentials and connection settings of a registry. Registries without a block use the credentials " +
          "from Docker's configuration and its credential helpers. Without these, registries of Google, Amazon " +
          "and Azure use the identity of the machine.",
        wire: "registry",
      },
    ),
  },
  rules: [
    conflicts("signingConfig", "useRekorV2"),
    conflicts("signingConfig", "fulcioUrl"),
    conflicts("signingConfig", "rekorUrl"),
    conflicts("signingConfig", "timestampUrl"),
    timestampForRekorV2,
    conflicts("key", "fulcioUrl"),
    conflicts("key", "identityToken"),
    unlogged,
  ],
});
