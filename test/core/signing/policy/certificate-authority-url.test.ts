import {
  type TrustMaterial,
  readTrustedRoot,
} from "../../../../src/core/signing/sigstore/trust/trusted-root";
import { image, signature } from "../sigstore/verification/artefacts";
import { Authorities, email, issuer } from "../sigstore/verification/authorities";
import { withAuthority } from "./policy-texts";
import { foundLayer, verdictOn, wordsOf } from "./verdict-on";

const ours = new Authorities();
const theirs = new Authorities();

/** Trusts two authorities, by these URLs, and the logs of the first. */
function trustWith(ourUri: string | undefined, theirUri = "https://other.example.com") {
  const named = (world: Authorities, uri: string | undefined) =>
    world.trustedRoot().certificateAuthorities.map((each) => ({ ...each, uri }));
  const root = {
    ...ours.trustedRoot(),
    certificateAuthorities: [...named(ours, ourUri), ...named(theirs, theirUri)],
  };
  return { ...readTrustedRoot(JSON.stringify(root)), timestampAuthorities: [] };
}

async function verdict(url: string, trust: TrustMaterial): Promise<string> {
  const keyless = { url, identities: [{ issuer, subject: email }] };
  const signatures = () => Promise.resolve([foundLayer("a signature", signature(ours))]);
  const text = withAuthority({ keyless });
  return wordsOf(await verdictOn(text, image, { signatures, trust: () => Promise.resolve(trust) }));
}

describe("the URL of a keyless authority", () => {
  test.each([
    ["https://ca.example.com", "https://ca.example.com"],
    ["https://ca.example.com/", "https://ca.example.com"],
    ["https://ca.example.com", "https://ca.example.com/"],
    ["https://CA.example.com:443", "https://ca.example.com"],
    ["https://ca.example.com/a/", "https://ca.example.com/a"],
    // A root of PEM files has no URLs.
    ["https://ca.example.com", undefined],
    ["https://ca.example.com", ""],
    // As in GitHub's trusted root.
    ["https://ca.example.com", "ca.example.com"],
    ["https://ca.example.com:8443/a", "CA.example.com:8443/a/"],
  ])("%s accepts a certificate of the authority %s", async (url, uri) => {
    expect(await verdict(url, trustWith(uri))).toBe("accepted");
  });

  test.each([
    ["https://other.example.com", "https://ca.example.com"],
    ["https://ca.example.com/b", "https://ca.example.com/a"],
    ["https://ca.example.com", "https://ca.example.com/a"],
    ["https://ca.example.com", "http://ca.example.com"],
    ["https://ca.example.com", "https://ca.example.com:8443"],
    ["https://ca.example.com", "ca.example.com.evil.example"],
    ["https://ca.example.com", "ca.example.com:8443"],
  ])("%s does not accept a certificate of the trusted authority %s", async (url, uri) => {
    const refused = await verdict(url, trustWith(uri, url));
    expect(refused).toContain("the certificate has no chain to a certificate authority");
  });

  test("that no trusted authority has is named, with those that are trusted", async () => {
    expect(
      await verdict("https://third.example.com", trustWith("https://ca.example.com")),
    ).toContain(
      "the policy requires the certificate authority https://third.example.com, which is not trusted " +
        "(trusted: https://ca.example.com, https://other.example.com)",
    );
  });
});
