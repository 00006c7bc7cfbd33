import { UNKNOWN } from "../../../src/core/schema";
import { toPem } from "../../../src/core/signing/sigstore/der/der-element";
import type { AcceptanceRow } from "../../accept/table";
import type { Args, Kinds } from "../../accept/noun";
import { conflict, invalid, rowsOn } from "../../accept/row";
import { digestRows } from "./image-rows";

/** What Sign and Attest take alike. */
export const signingInputs: Kinds = {
  image: "string",
  conflict: "enum",
  key: "string",
  fulcioUrl: "string",
  rekorUrl: "string",
  signatureFormat: "enum",
  recursive: "bool",
};

/** Addresses of services. */
export const goodUrls = [
  "https://fulcio.example.com",
  "https://fulcio.example.com/",
  "https://example.com:8443/fulcio",
  "http://127.0.0.1:5555",
  "http://localhost:5555/path",
  "http://[::1]:5555",
];

export const badUrls = [
  "fulcio.example.com",
  "http://fulcio.example.com",
  "https://",
  "https://me:hush@fulcio.example.com",
  "https://fulcio.example.com/?a=b",
  "https://fulcio.example.com/#a",
  "https://fulcio.example.com/a b",
  "ftp://fulcio.example.com",
  "http://localhost.example.com",
];

/** References to private keys. */
export const goodKeys = [
  "cosign.key",
  "/secrets/cosign.key",
  "env://RELEASE_KEY",
  "awskms:///alias/releases",
  "awskms://kms.example.com/1234abcd-12ab-34cd-56ef-1234567890ab",
  "gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k",
  "azurekms://vault.vault.azure.net/releases",
  "hashivault://releases",
];

export const badKeys = [
  "",
  "env://",
  "env://a b",
  "awskms://",
  "gcpkms://releases",
  "https://example.com/cosign.key",
  toPem("PRIVATE KEY", Buffer.of(0x30, 3, 2, 1, 0)),
];

/** Rows that hold of Sign and of Attest. */
export function signingRows(base: Args): readonly AcceptanceRow[] {
  const { accepts, refuses } = rowsOn(base);
  const urls = ["fulcioUrl", "rekorUrl"] as const;
  const custom = "https://own.example.com";
  return [
    ...digestRows(base, "image"),
    refuses(
      "an image in a layout",
      { image: `oci:/srv/mirror@sha256:${"a".repeat(64)}` },
      invalid("image"),
    ),
    ...["APPEND", "REPLACE", "SKIPSAME"].map((word) =>
      accepts(`the conflict ${word}`, { conflict: word }),
    ),
    ...["append", "Replace", "SKIP_SAME", ""].map((word) =>
      refuses(`the conflict ${JSON.stringify(word)}`, { conflict: word }, invalid("conflict")),
    ),
    ...["legacy", "bundle", "both"].map((word) =>
      accepts(`the format ${word}`, { signatureFormat: word }),
    ),
    ...["LEGACY", "all", ""].map((word) =>
      refuses(
        `the format ${JSON.stringify(word)}`,
        { signatureFormat: word },
        invalid("signatureFormat"),
      ),
    ),
    ...goodKeys.map((key) => accepts(`the key ${key}`, { key })),
    ...badKeys.map((key) => refuses(`the key ${JSON.stringify(key)}`, { key }, invalid("key"))),
    accepts("a key with the address of a log", { key: "cosign.key", rekorUrl: custom }),
    refuses(
      "a key with the address of a certificate authority",
      { key: "cosign.key", fulcioUrl: custom },
      conflict("fulcioUrl"),
    ),
    ...urls.flatMap((name) => [
      ...goodUrls.map((url) => accepts(`the ${name} ${url}`, { [name]: url })),
      ...badUrls.map((url) => refuses(`the ${name} ${url}`, { [name]: url }, invalid(name))),
      accepts(`a ${name} with the format legacy`, { [name]: custom, signatureFormat: "legacy" }),
      accepts(`a ${name} with an unknown format`, { [name]: custom, signatureFormat: UNKNOWN }),
      ...["bundle", "both"].map((signatureFormat) =>
        refuses(
          `a ${name} with the format ${signatureFormat}`,
          { [name]: custom, signatureFormat },
          conflict(name),
        ),
      ),
    ]),
    refuses(
      "both addresses with the format bundle",
      { fulcioUrl: custom, rekorUrl: custom, signatureFormat: "bundle" },
      conflict("fulcioUrl"),
      conflict("rekorUrl"),
    ),
  ];
}
