import { problemRule } from "../../../schema";

type KeyReference =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "kms"; readonly uri: KmsUri };

/** A key in a key-management service. */
export interface KmsUri {
  readonly scheme: KmsScheme;
  /** Everything after `scheme://`. */
  readonly rest: string;
}

/** The key-management services, by the scheme of their URIs, with the form of a URI. */
const kmsSchemes = {
  awskms: "awskms:///KEY-ID, awskms:///alias/NAME, awskms:///ARN, or awskms://ENDPOINT/KEY-ID",
  gcpkms:
    "gcpkms://projects/PROJECT/locations/LOCATION/keyRings/KEY-RING/cryptoKeys/KEY, with /cryptoKeyVersions/VERSION if needed",
  azurekms: "azurekms://VAULT.vault.azure.net/KEY, with /VERSION if needed",
  hashivault: "hashivault://KEY",
  openbao: "openbao://KEY",
} as const;

type KmsScheme = keyof typeof kmsSchemes;

/** The names that Vault allows for keys. */
const transitKey = /^\w(?:[\w.-]{0,126}\w)?$/;

const forms: Readonly<Record<KmsScheme, RegExp>> = {
  awskms:
    /^(?:[A-Za-z0-9.-]+(?::\d{1,5})?)?\/(?:[0-9a-f-]{36}|mrk-[0-9a-f]{32}|alias\/[\w/-]{1,250}|arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:(?:key\/[\w-]+|alias\/[\w/-]{1,250}))$/,
  gcpkms:
    /^projects\/[\w.:-]+\/locations\/[\w-]+\/keyRings\/[\w-]+\/cryptoKeys\/[\w-]+(?:\/(?:cryptoKeyVersions|versions)\/\d+)?$/,
  azurekms: /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+\/[A-Za-z0-9-]{1,127}(?:\/[0-9a-f]{32})?$/,
  hashivault: transitKey,
  openbao: transitKey,
};

/**
 * Parses a reference to a private key: a path, `env://NAME`, or the URI of a key in a key-management
 * service. The problem is a predicate, and never quotes a key.
 */
export function parseKeyReference(reference: string): KeyReference | { readonly problem: string } {
  if (reference.includes("-----BEGIN")) {
    return {
      problem:
        "must not contain the key itself, because it would be stored in plans: use a path, or env://NAME for an environment variable with the key",
    };
  }
  const [scheme, rest] = partsOf(reference);
  if (scheme === "") {
    if (reference.trim() === "" || reference.includes("\0")) {
      return {
        problem: "must be a path, env://NAME, or the URI of a key in a key-management service",
      };
    }
    return { kind: "file", path: reference };
  }
  if (scheme === "env") {
    if (/^[A-Za-z_]\w*$/.test(rest)) return { kind: "environment", variable: rest };
    return { problem: "must have the form env://NAME, with the name of an environment variable" };
  }
  if (!isKmsScheme(scheme)) {
    const known = ["env", ...Object.keys(kmsSchemes)].map((each) => `${each}://`);
    return { problem: `has the unknown scheme "${scheme}://": use a path, ${known.join(", ")}` };
  }
  const uri = parseKmsUri(reference);
  return "problem" in uri ? uri : { kind: "kms", uri };
}

/** Parses the URI of a key in a key-management service. The problem is a predicate. */
export function parseKmsUri(uri: string): KmsUri | { readonly problem: string } {
  const [scheme, rest] = partsOf(uri);
  if (!isKmsScheme(scheme)) {
    const known = Object.keys(kmsSchemes).map((each) => `${each}://`);
    return { problem: `must begin with ${known.join(", ")}` };
  }
  if (forms[scheme].test(rest)) return { scheme, rest };
  return { problem: `must have the form ${kmsSchemes[scheme]}` };
}

/** The scheme (empty without one), and what follows it. */
function partsOf(reference: string): readonly [scheme: string, rest: string] {
  const [, scheme = "", rest = ""] = /^([a-z0-9+.-]+):\/\/(.*)$/is.exec(reference) ?? [];
  return [scheme, rest];
}

function isKmsScheme(scheme: string): scheme is KmsScheme {
  return Object.hasOwn(kmsSchemes, scheme);
}

/** The value is a reference to a private key, and never the key itself. */
export const keyReferenceRule = problemRule(
  "must be a path, `env://NAME`, or the URI of a key in a key-management service (`awskms://`, `gcpkms://`, `azurekms://`, `hashivault://`, `openbao://`)",
  (text) => {
    const parsed = parseKeyReference(text);
    return "problem" in parsed ? parsed.problem : undefined;
  },
);
