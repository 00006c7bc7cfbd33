import { formatProblem } from "../../../../src/core/signing/policy/parse/policy-fields";
import { parsePolicies } from "../../../../src/core/signing/policy/parse/parse-policies";
import { formatRepository } from "../../../../src/core/signing/oci/reference/image-name";
import { verifyImage } from "../../../../src/core/signing/verify";
import { email, policyText } from "../provider/signing";
import { sign } from "../sign/operations";
import { openBench } from "../sign/signing-bench";
import { base64, keysOf, trustRoot } from "./trust-root-text";

async function open() {
  const bench = await openBench();
  const image = await bench.pushImage("trusted");
  await sign(bench, bench.person(email), image);
  const { certificateAuthority: url, tokenIssuer: issuer } = bench.local.addresses;
  const identities = [{ issuer, subject: email }];
  const policy = (refs: { readonly keyless?: string; readonly ctlog?: string }) => {
    const ctlog = refs.ctlog === undefined ? {} : { ctlog: { trustRootRef: refs.ctlog } };
    const keyless = { url, identities, ...(refs.keyless && { trustRootRef: refs.keyless }) };
    return policyText(bench.local, { authorities: [{ name: "us", keyless, ...ctlog }] });
  };
  const verify = async (...documents: readonly string[]) => {
    const { policies } = await verifyImage({
      image: `${formatRepository(image)}@${image.digest}`,
      policy: documents.join("\n---\n"),
      // Nothing else is trusted.
      trustedRoot: "/nowhere",
    });
    const [authority] = policies[0]?.authorities ?? [];
    const rejected = authority?.requirements[0]?.rejected[0]?.code;
    return rejected ?? authority?.code;
  };
  return { bench, policy, verify };
}

test("a TrustRoot of the documents is trusted instead of what the provider trusts", async () => {
  const { bench, policy, verify } = await open();
  const keys = keysOf(bench.local);
  const ours = trustRoot("ours", keys);
  expect(await verify(ours, policy({ keyless: "ours" }))).toBe("ACCEPTED");
  expect(await verify(policy({ keyless: "ours", ctlog: "ours" }), ours)).toBe("ACCEPTED");
  // Without the reference, the TrustRoot means nothing.
  expect(await verify(ours, policy({}))).toBe("NOT_READ");
});

test("each part of a TrustRoot is needed for what it proves", async () => {
  const { bench, policy, verify } = await open();
  const keys = keysOf(bench.local);
  const other = await openBench();
  const without = (name: "tLogs" | "ctLogs") => trustRoot("ours", { ...keys, [name]: [] });
  const byOthers = { ...keys, certificateAuthorities: keysOf(other.local).certificateAuthorities };
  const both = policy({ keyless: "ours" });
  expect(await verify(without("tLogs"), both)).toBe("NO_TRUST");
  expect(await verify(without("ctLogs"), both)).toBe("NO_TRUST");
  expect(await verify(trustRoot("ours", byOthers), both)).toBe("NO_TRUST");
  const logs = trustRoot("logs", keysOf(other.local));
  const mixed = policy({ keyless: "ours", ctlog: "logs" });
  expect(await verify(trustRoot("ours", keys), logs, mixed)).toBe("TRANSPARENCY_LOG");
});

const keyless = { url: "https://ca.example", identities: [{ issuer: "a", subject: "b" }] };

const withAuthority = (authority: object): string =>
  JSON.stringify({
    apiVersion: "policy.sigstore.dev/v1beta1",
    kind: "ClusterImagePolicy",
    metadata: { name: "a" },
    spec: { images: [{ glob: "**" }], authorities: [authority] },
  });

const passing = withAuthority({ static: { action: "pass" } });
const nothing = { certificateAuthorities: [] };
const ca = { subject: {}, uri: "https://ca.example" };
const log = { baseURL: "https://log.example", hashAlgorithm: "sha-256" };

test.each([
  [
    "a reference to none",
    [withAuthority({ keyless: { ...keyless, trustRootRef: "mine" } })],
    "keyless.trustRootRef: refers to a TrustRoot that is not in these documents",
  ],
  [
    "two for one bundle",
    [
      trustRoot("a", nothing),
      withAuthority({
        keyless: { ...keyless, trustRootRef: "a" },
        ctlog: { url: "https://log.example" },
        signatureFormat: "bundle",
      }),
    ],
    "ctlog.trustRootRef: must be the same as in spec.authorities[0].keyless",
  ],
  ["two of one name", [trustRoot("a", nothing), trustRoot("a", nothing)], "another TrustRoot"],
  [
    "a TUF repository",
    [trustRoot("a", nothing, { remote: { root: "", mirror: "https://a" } })],
    "spec.remote: is a TUF repository",
  ],
  ["no keys", [trustRoot("a", nothing, { sigstoreKeys: undefined })], "sigstoreKeys: is missing"],
  ["an unknown field", [trustRoot("a", { ...nothing, logs: [] })], "logs: is not a known field"],
  [
    "a chain that is not PEM",
    [trustRoot("a", { certificateAuthorities: [{ ...ca, certChain: "AAAA" }] })],
    "certChain: must be PEM in base64",
  ],
  [
    "a chain without a root",
    [
      trustRoot("a", {
        certificateAuthorities: [{ ...ca, certChain: base64("-----BEGIN A-----") }],
      }),
    ],
    "certChain: must end with a root certificate",
  ],
  [
    "a private key",
    [
      trustRoot("a", {
        tLogs: [{ ...log, publicKey: base64(["-----BEGIN PRIVATE", "KEY-----"].join(" ")) }],
      }),
    ],
    "publicKey: must be PEM in base64",
  ],
])("is refused: %s", (_, documents, message) => {
  const parsed = parsePolicies([passing, ...documents].join("\n---\n"));
  const problems = "problems" in parsed ? parsed.problems.map(formatProblem) : [];
  expect(problems.join("\n")).toContain(message);
});

test("a TrustRoot with a problem is not reported as missing, too", () => {
  const text = [
    trustRoot("github", nothing, { sigstoreKeys: undefined, remote: { root: "", mirror: "a" } }),
    withAuthority({
      keyless: { ...keyless, trustRootRef: "github" },
      rfc3161timestamp: { trustRootRef: "github" },
    }),
  ].join("\n---\n");
  const parsed = parsePolicies(text);
  expect("problems" in parsed && parsed.problems.map(({ path }) => path)).toEqual(["spec.remote"]);
});
