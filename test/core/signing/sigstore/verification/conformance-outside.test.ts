import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  readPublicKey,
  isPublicKeyError,
} from "../../../../../src/core/signing/sigstore/certificate/public-key";
import {
  readTrustedRoot,
  isTrustError,
} from "../../../../../src/core/signing/sigstore/trust/trusted-root";
import {
  isVerified,
  type VerificationRules,
} from "../../../../../src/core/signing/sigstore/verification/verification";
import { verifyAnyBundle } from "./any-bundle";

/**
 * Sigstore's conformance suite: https://github.com/sigstore/sigstore-conformance. `SIGSTORE_CONFORMANCE` names a checkout:
 *
 *     SIGSTORE_CONFORMANCE=../sigstore-conformance npx jest conformance-outside
 */
const checkout = process.env["SIGSTORE_CONFORMANCE"];
const assets = checkout === undefined ? "" : join(checkout, "test", "assets", "bundle-verify");
const cases =
  checkout === undefined
    ? []
    : readdirSync(assets, { withFileTypes: true })
        .filter((each) => each.isDirectory())
        .map(({ name }) => name);

const defaults = {
  identity:
    "https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon/.github/workflows/extremely-dangerous-oidc-beacon.yml@refs/heads/main",
  issuer: "https://token.actions.githubusercontent.com",
};

(checkout === undefined ? test.skip.each([["SIGSTORE_CONFORMANCE is not set"]]) : test.each(cases))(
  "Sigstore's conformance suite: %s",
  (name) => {
    expect(verifies(join(assets, name))).toBe(!name.endsWith("_fail"));
  },
);

function verifies(folder: string): boolean {
  const optional = (name: string): Buffer | undefined =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : undefined;
  const text = (name: keyof typeof defaults) => optional(name)?.toString().trim() ?? defaults[name];
  const artifact = optional("artifact") ?? readFileSync(join(assets, "a.txt"));
  const key = optional("key.pub");
  try {
    const signer: VerificationRules["signer"] =
      key === undefined
        ? {
            identities: [
              { subject: { equals: text("identity") }, issuer: { equals: text("issuer") } },
            ],
          }
        : { key: { publicKey: readPublicKey(key.toString()) } };
    const trust = readTrustedRoot(optional("trusted_root.json") ?? publicRoot());
    const bundle = readFileSync(join(folder, "bundle.sigstore.json"));
    return isVerified(verifyAnyBundle(bundle, artifact, { trust, signer }));
  } catch (error) {
    if (isTrustError(error) || isPublicKeyError(error)) return false;
    throw error;
  }
}

/** The public instance's, as the client for it is delivered with it. */
function publicRoot(): Buffer {
  const seeds = JSON.parse(
    readFileSync(require.resolve("@sigstore/tuf/seeds.json"), "utf8"),
  ) as Record<string, { readonly targets: Readonly<Record<string, string>> }>;
  const [seed] = Object.values(seeds);
  return Buffer.from(seed?.targets["trusted_root.json"] ?? "", "base64");
}
