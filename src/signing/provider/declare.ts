import {
  block,
  durationRule,
  optional,
  provider,
  required,
  t,
  enumMeanings,
  enumValues,
  stringRule,
} from "../../schema";
import { serviceUrl } from "../../schema/loopback";

/** The address of a service: https, or http on this machine. */
export const serviceUrlRule = stringRule([
  [
    serviceUrl,
    "must be an https URL, or an http URL of this machine such as http://127.0.0.1:3000, without user, query and fragment",
  ],
]);

/** How a signature or an attestation is stored beside its image. */
export const signatureFormats = {
  legacy: "puts it into an image under a tag such as `sha256-….sig`",
  bundle: "puts it into a Sigstore bundle that refers to the image",
  both: "writes it in both forms",
} as const;

/** What the transparency log keeps of an attestation. */
export const attestationEntryTypes = {
  intoto: "keeps the digests of the envelope and of the statement",
  dsse: "keeps these digests and the signatures",
} as const;

/** The settings of the provider. */
export const signingProvider = provider("signing", {
  doc:
    "Signs, attests, copies and verifies container images. What it writes is read by the usual " +
    "command-line tools, and what they write it reads.",
  attributes: {
    defaultAttestationEntryType: optional(t.oneOf(enumValues(attestationEntryTypes)), {
      doc:
        "What the transparency log keeps of legacy attestations: " +
        `${enumMeanings(attestationEntryTypes)} By default \`intoto\`.`,
    }),
    defaultSignatureFormat: optional(t.oneOf(enumValues(signatureFormats)), {
      doc:
        "How signatures and attestations are stored whose resource does not say: " +
        `${enumMeanings(signatureFormats)} By default \`legacy\`.`,
    }),
    timeout: optional(t.string(durationRule), {
      doc:
        "How long signing, attesting or verifying one image may take, with all requests to the registry " +
        "and to the services, such as `5m`. By default `3m`.",
    }),
    fulcioUrl: optional(t.string(serviceUrlRule), {
      doc:
        "Address of the certificate authority for resources that name none, and for bundles. By default " +
        "`https://fulcio.sigstore.dev`.",
    }),
    rekorUrl: optional(t.string(serviceUrlRule), {
      doc:
        "Address of the transparency log for resources that name none, and for bundles. By default " +
        "`https://rekor.sigstore.dev`.",
    }),
    timestampUrl: optional(t.string(serviceUrlRule), {
      doc:
        "Address of a time-stamp authority (RFC 3161) that time-stamps signatures besides the log. By " +
        "default there is none.",
    }),
    trustedRoot: optional(t.string(), {
      doc:
        "Certificates and keys that are trusted: the path of a `trusted_root.json`, or its text. Needed " +
        "for services of one's own, and to verify without a network. What it does not list comes from " +
        "the PEM files that `SIGSTORE_ROOT_FILE`, `SIGSTORE_REKOR_PUBLIC_KEY`, " +
        "`SIGSTORE_CT_LOG_PUBLIC_KEY_FILE` and `SIGSTORE_TSA_CERTIFICATE_FILE` name. By default the root " +
        "of the public services, which is fetched and kept when it is first needed.",
      env: ["TRIVET_TRUSTED_ROOT"],
    }),
    identityToken: optional(t.string(), {
      doc:
        "OpenID Connect token of who signs, for the audience `sigstore`. By default what the surroundings " +
        "offer: the file `/var/run/sigstore/cosign/oidc-token`, or GitHub Actions.",
      sensitive: true,
      env: ["SIGSTORE_ID_TOKEN"],
    }),
    skipWithoutIdentity: optional(t.bool(), {
      doc:
        "Whether images stay unsigned, with a warning, where there is no identity token. By default " +
        "false: that is an error.",
    }),
  },
  blocks: {
    registries: block.list(
      {
        attributes: {
          host: required(t.string(), { doc: "Host of the registry, with its port if it has one." }),
          username: optional(t.string(), { doc: "User name." }),
          password: optional(t.string(), { doc: "Password, or access token.", sensitive: true }),
          plainHttp: optional(t.bool(), {
            doc: "Whether the registry is spoken to without TLS. By default only on this machine.",
          }),
        },
      },
      {
        doc:
          "Credentials of a registry, and how it is reached. Registries without a block have those of " +
          "Docker's configuration and its credential helpers.",
        wire: "registry",
      },
    ),
  },
});
