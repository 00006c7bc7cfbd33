import type { Kinds, Noun } from "../../../accept/noun";
import { conflict, invalid, missing, rowsByKind, rowsOn } from "../../../accept/row";
import { badKeys, badUrls, goodKeys, goodUrls } from "../signing-rows";

const base = {};

const inputs: Kinds = {
  defaultAttestationEntryType: "enum",
  defaultSignatureFormat: "enum",
  timeout: "string",
  key: "string",
  transparencyLog: "bool",
  fulcioUrl: "string",
  rekorUrl: "string",
  useRekorV2: "bool",
  signingConfig: "string",
  timestampUrl: "string",
  trustedRoot: "string",
  identityToken: "string",
  insecureIgnoreSct: "bool",
  skipWithoutIdentity: "bool",
  registries: {
    blocks: { host: "string", username: "string", password: "string", plainHttp: "bool" },
  },
};

const { accepts, refuses } = rowsOn(base);

const words = {
  defaultAttestationEntryType: [
    ["intoto", "dsse"],
    ["INTOTO", "in-toto", ""],
  ],
  defaultSignatureFormat: [
    ["legacy", "bundle", "both"],
    ["Legacy", "all", ""],
  ],
  timeout: [
    ["3m", "5m", "10m", "90s", "1h30m", "1.5h", "500ms"],
    ["5 minutes", "5", "", "m", "-5m", "5m ", "1d"],
  ],
  key: [goodKeys, badKeys],
  fulcioUrl: [goodUrls, badUrls],
  rekorUrl: [goodUrls, badUrls],
  timestampUrl: [goodUrls, badUrls],
} as const;

/** The spec's settings, and what real use needs besides. */
export const provider: Noun = {
  kind: "provider",
  typeName: "signing",
  construct: "signing.SigningProvider",
  base,
  inputs,
  outputs: {},
  wire: { registries: "registry" },
  rows: [
    accepts("no settings", {}),
    ...Object.entries(words).flatMap(([name, [good, bad]]) => [
      ...good.map((text) => accepts(`the ${name} ${text}`, { [name]: text })),
      ...bad.map((text) =>
        refuses(`the ${name} ${JSON.stringify(text)}`, { [name]: text }, invalid(name)),
      ),
    ]),
    accepts("Rekor v2 of the public services", { useRekorV2: true }),
    accepts("a log of Rekor v2, with a timestamp authority", {
      useRekorV2: true,
      rekorUrl: "https://log.example.com",
      timestampUrl: "https://tsa.example.com/api/v1/timestamp",
    }),
    refuses(
      "a log of Rekor v2 without a timestamp authority",
      { useRekorV2: true, rekorUrl: "https://log.example.com" },
      missing("timestampUrl"),
    ),
    accepts("a signing config", { signingConfig: "signing_config.json" }),
    ...["fulcioUrl", "rekorUrl", "timestampUrl"].map((name) =>
      refuses(
        `a signing config beside the ${name}`,
        { signingConfig: "signing_config.json", [name]: "https://service.example.com" },
        conflict(name),
      ),
    ),
    refuses(
      "a signing config beside a version of the log",
      { signingConfig: "signing_config.json", useRekorV2: true },
      conflict("useRekorV2"),
    ),
    accepts("a key without the log", { key: "cosign.key", transparencyLog: false }),
    accepts("no log, for keys of resources", { transparencyLog: false }),
    ...["fulcioUrl", "identityToken"].map((name) =>
      refuses(
        `a key beside the ${name}`,
        { key: "cosign.key", [name]: "https://service.example.com" },
        conflict(name),
      ),
    ),
    ...[{ rekorUrl: "https://log.example.com" }, { useRekorV2: true }].map((log) =>
      refuses(
        `no log beside ${Object.keys(log).join()}`,
        { transparencyLog: false, ...log },
        conflict("transparencyLog"),
      ),
    ),
    accepts("two registries", {
      registries: [{ host: "a.example.com" }, { host: "127.0.0.1:5000", plainHttp: true }],
    }),
    refuses(
      "a registry without host",
      { registries: [{ username: "me" }] },
      missing("registries", 0, "host"),
    ),
    accepts("registries by their addresses", {
      registries: [
        { host: "[::1]:5000" },
        { host: "my_registry:5000" },
        { host: "Registry.example" },
      ],
    }),
    ...[
      "https://a.example.com",
      "a.example.com/team",
      "a.example.com:",
      "user@a.example.com",
      " ",
    ].map((host) =>
      refuses(
        `the registry ${JSON.stringify(host)}`,
        { registries: [{ host }] },
        invalid("registries", 0, "host"),
      ),
    ),
    ...rowsByKind({ base, inputs, samples: { registries: { host: "a.example.com" } } }),
  ],
  builds: [],
  changes: [],
};
