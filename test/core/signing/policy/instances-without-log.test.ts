import {
  type TrustMaterial,
  readTrustedRoots,
} from "../../../../src/core/signing/sigstore/trust/trusted-root";
import { bundle, image } from "../sigstore/verification/artefacts";
import { Authorities, email, issuer, signedAt } from "../sigstore/verification/authorities";
import { rulesOf } from "../../../../src/core/signing/policy/policy-rules";
import { newKey, signingAuthorityOf, withAuthority } from "./policy-texts";
import { foundBundle, verdictOn, wordsOf } from "./verdict-on";

/** As GitHub's for private repositories: it proves the time by timestamps alone. */
const unlogged = new Authorities();
const logged = new Authorities();

const unloggedRoot = JSON.stringify({
  ...unlogged.trustedRoot(),
  tlogs: undefined,
  ctlogs: undefined,
  certificateAuthorities: unlogged
    .trustedRoot()
    .certificateAuthorities.map((each) => ({ ...each, uri: "fulcio.unlogged.example" })),
});
const loggedRoot = JSON.stringify(logged.trustedRoot());

/** A bundle with a timestamp, and no entry of a log. */
const stamped = (world: Authorities) =>
  bundle(world, "signature", {
    signer: world.signer({ scts: 0 }),
    stampedAt: signedAt,
    entry: () => undefined,
  });

async function verdict(content: Uint8Array, authority: object, trust: TrustMaterial) {
  const identities = [{ issuer, subject: email }];
  const url = "https://fulcio.unlogged.example";
  const text = withAuthority({
    keyless: { url, identities, insecureIgnoreSCT: true },
    rfc3161timestamp: {},
    signatureFormat: "bundle",
    ...authority,
  });
  const signatures = () => Promise.resolve([foundBundle("a bundle", content)]);
  return wordsOf(await verdictOn(text, image, { signatures, trust: () => Promise.resolve(trust) }));
}

const both = `${loggedRoot}\n${unloggedRoot}\n`;

describe.each([
  ["alone", unloggedRoot],
  ["beside another, one on each line", both],
])("an instance without a log, %s", (_, text) => {
  const trust = readTrustedRoots(text);

  test("proves the time by a timestamp, if the policy asks for one", async () => {
    expect(await verdict(stamped(unlogged), {}, trust)).toBe("accepted");
  });

  test.each([
    ["asks for no timestamp", { rfc3161timestamp: undefined }, "no entry of a transparency log"],
    ["names a log", { ctlog: { url: "https://log.example.com" } }, "log"],
  ])("does not prove it if the policy %s", async (__, authority, problem) => {
    const refused = await verdict(stamped(unlogged), authority, trust);
    expect(refused).toContain("does not accept");
    expect(refused).toContain(problem);
  });
});

test("an instance with a log needs its entry, whatever other instances are trusted", async () => {
  const identities = [{ issuer, subject: email }];
  const keyless = { url: "https://ca.example.com", identities, insecureIgnoreSCT: true };
  expect(await verdict(stamped(logged), { keyless }, readTrustedRoots(both))).toContain(
    "the signature has no entry of a transparency log",
  );
  // The certificate is of the other instance.
  expect(await verdict(stamped(logged), {}, readTrustedRoots(both))).toContain("TIMESTAMP");
});

test("what a key signs can be in the log of an instance without certificate authorities", async () => {
  const { mediaType, tlogs } = logged.trustedRoot();
  const trust = readTrustedRoots(`${unloggedRoot}\n${JSON.stringify({ mediaType, tlogs })}\n`);
  const ctlog = { url: "https://log.example.com" };
  const authority = signingAuthorityOf(withAuthority({ key: { data: newKey().pem }, ctlog }));
  expect(await rulesOf(authority, { trust: () => Promise.resolve(trust) })).toMatchObject({
    trust: { transparencyLogs: [{ baseUrl: ctlog.url }] },
  });
});

test("several trusted roots are bounded, and each is checked", () => {
  const read = (lines: readonly string[]) => () => readTrustedRoots(lines.join("\n"));
  expect(read(Array.from({ length: 21 }, () => unloggedRoot))).toThrow(
    "has 21 trusted roots, more than the maximum of 20",
  );
  expect(read([loggedRoot, '{"mediaType":"else"}'])).toThrow("not a trusted_root.json");
});
