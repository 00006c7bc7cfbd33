import { createTerraformHarness } from "../../../../src/core/provider-kit/testing";
import { UNKNOWN } from "../../../../src/core/schema";
import { verify } from "../../../../src/core/signing/verify/declare";
import { attest } from "../../../../src/core/signing/attest/declare";
import { sign } from "../../../../src/core/signing/sign/declare";
import {
  type DigestReference,
  formatRepository,
} from "../../../../src/core/signing/oci/reference/image-name";
import { details, summaries } from "../../provider-kit/server/protocol";
import { closeAfterTest } from "../../http/close-after-test";
import { opaPrints, standIns } from "../policy/engine/stand-in";
import { pushBuiltIndex } from "../sign/operations";
import { inTime, openBench, type SigningBench } from "../sign/signing-bench";
import {
  connect,
  keyless,
  make,
  policyText,
  type Provider,
  verifyImage,
} from "../provider/signing";

const textOf = (image: DigestReference): string => `${formatRepository(image)}@${image.digest}`;

async function open() {
  const bench = await openBench();
  const image = await bench.pushImage("verified");
  const provider = await connect(bench.local);
  return { bench, image: textOf(image), provider };
}

const signIt = (provider: Provider, image: string) => make(provider, sign, { image });

/** Moves a tag to an image, as other writers can at any time. */
async function tag({ registry, repository }: SigningBench, image: string, name: string) {
  const manifest = await registry.manifests.get(repository, image.slice(-71), inTime());
  if (manifest === undefined) throw new Error("there is no image");
  await registry.manifests.put(repository, manifest, inTime(), { tag: name });
}

test.each(["legacy", "bundle"])("a signed image is accepted: %s", async (signatureFormat) => {
  const { bench, image, provider } = await open();
  await make(provider, sign, { image, signatureFormat });
  const policy = policyText(bench.local, {
    authorities: [keyless(bench.local, { signatureFormat })],
  });
  const { state, summaries: found } = await verifyImage(provider, image, policy);
  expect(found).toEqual([]);
  const { verdict, policies, ...rest } = state ?? {};
  expect(rest).toEqual({
    image,
    policy,
    name: null,
    recursive: null,
    id: image,
    verifiedRef: image,
  });
  expect(verdict).toContain(`\`${image}\` is accepted (ACCEPTED).`);
  expect(policies).toMatchObject([
    { name: "releases", code: "ACCEPTED", authorities: [{ requirements: [{ countedTotal: 1 }] }] },
  ]);
});

test("an unsigned image is refused", async () => {
  const { bench, image, provider } = await open();
  const { summaries: found, diagnostics } = await verifyImage(
    provider,
    image,
    policyText(bench.local),
  );
  expect(found).toEqual(["ERROR image Image Refused By Policy"]);
  expect(details(diagnostics)).toContain("Policy `releases` does not accept it");
});

test("an image with a signature of another signer is refused, and the message names the signer", async () => {
  const { bench, image, provider } = await open();
  await signIt(provider, image);
  const policy = policyText(bench.local, {}, "boss@example.com");
  const { summaries: found, diagnostics } = await verifyImage(provider, image, policy);
  expect(found).toEqual(["ERROR image Image Refused By Policy"]);
  expect(details(diagnostics)).toContain("dev@example.com");
});

test.each(["legacy", "bundle"])(
  "an attestation alone never counts as a signature: %s",
  async (signatureFormat) => {
    const { bench, image, provider } = await open();
    const predicates = [{ type: "custom", json: "{}" }];
    await make(provider, attest, { image, predicates, signatureFormat });
    const ours = { signatureFormat };
    const policy = policyText(bench.local, { authorities: [keyless(bench.local, ours)] });
    expect((await verifyImage(provider, image, policy)).summaries).toEqual([
      "ERROR image Image Refused By Policy",
    ]);
    const attestations = [{ name: "tested", predicateType: "custom" }];
    const attested = keyless(bench.local, { ...ours, attestations });
    const other = policyText(bench.local, { authorities: [attested] });
    expect((await verifyImage(provider, image, other)).summaries).toEqual([]);
  },
);

test("each image of an index is verified too if that is asked for", async () => {
  const { bench, provider } = await open();
  const { image, index } = await pushBuiltIndex(bench);
  await make(provider, sign, { image: textOf(index), recursive: false });
  const policy = policyText(bench.local);
  const all = { recursive: true };
  expect((await verifyImage(provider, textOf(index), policy)).summaries).toEqual([]);
  const refused = await verifyImage(provider, textOf(index), policy, all);
  expect(refused.summaries).toEqual(["ERROR image Image Refused By Policy"]);
  expect(details(refused.diagnostics)).toContain(
    `\`${textOf(image)}\` for \`linux/arm64\` is refused`,
  );
  await signIt(provider, textOf(index));
  const { state, summaries: found } = await verifyImage(provider, textOf(index), policy, all);
  expect(found).toEqual([]);
  expect(state).toMatchObject({ verifiedRef: textOf(index) });
  expect(state?.["verdict"]).toContain(`\`${textOf(image)}\` for \`linux/arm64\` is accepted`);
});

test("an image that no policy applies to is refused", async () => {
  const { bench, image, provider } = await open();
  await signIt(provider, image);
  const policy = policyText(bench.local, { images: [{ glob: "registry.example/**" }] });
  expect((await verifyImage(provider, image, policy)).summaries).toEqual([
    "ERROR image No Policy For The Image",
  ]);
});

test("an image that no policy can apply to is refused before the registry is asked", async () => {
  const { bench, image, provider } = await open();
  const policy = policyText(bench.local, { images: [{ glob: "registry.example/**" }] });
  const before = provider.log.length;
  const tagged = `${image.slice(0, image.indexOf("@"))}:missing`;
  const { summaries: found, diagnostics } = await verifyImage(provider, tagged, policy);
  expect(found).toEqual(["ERROR image No Policy For The Image"]);
  expect(details(diagnostics)).toContain(
    `\`${tagged}\` is refused, because no policy applies to it`,
  );
  expect(provider.log.slice(before).join("")).not.toContain("/v2/");
});

test("a policy in mode warn accepts an image, and its warning is shown", async () => {
  const { bench, image, provider } = await open();
  const policy = policyText(bench.local, { mode: "warn" });
  const { state, summaries: found, diagnostics } = await verifyImage(provider, image, policy);
  expect(found).toEqual(["WARNING image Image Not Accepted By Policy"]);
  expect(details(diagnostics)).toContain("Policy `releases` does not accept it");
  expect(state).toMatchObject({
    verifiedRef: image,
    verdict: expect.stringContaining("only warns (NO_AUTHORITY)") as string,
    policies: [{ accepted: false, mode: "warn", authorities: [{ code: "MISSING" }] }],
  });
});

test.each<[string, object, string, string]>([
  [
    "CUE",
    { policy: { type: "cue", data: "a: 1" } },
    "Policy Engine Not Found",
    "CUE is evaluated by cue",
  ],
  [
    "Rego",
    { policy: { type: "rego", data: "package sigstore" } },
    "Policy Engine Not Found",
    "Rego is evaluated by opa",
  ],
  ["an unknown field", { imagse: [] }, "Invalid Policy", "imagse"],
])(
  "a policy with %s is refused where it cannot be evaluated, before anything is asked",
  async (_name, spec, summary, expected) => {
    const { bench, image } = await open();
    const provider = await connect(
      bench.local,
      { registries: [{ host: bench.local.registryHost, username: "a", password: "b" }] },
      { PATH: "/nowhere" },
    );
    const policy = policyText(bench.local, spec);
    const { summaries: found, diagnostics } = await verifyImage(provider, image, policy);
    expect(found).toEqual([`ERROR policy ${summary}`]);
    expect(details(diagnostics)).toContain(expected);
    expect(provider.log.join("")).not.toContain("/v2/");
  },
);

test("a wrong policy is refused when Terraform validates, an unknown one is not", async () => {
  const { bench, image, provider } = await open();
  const verification = createTerraformHarness(provider).dataSource(verify);
  const wrong = policyText(bench.local, { imagse: [] });
  const diagnostics = await verification.validate({ image, policy: wrong });
  expect(summaries(diagnostics)).toEqual(["ERROR policy Invalid Policy"]);
  expect(details(diagnostics)).toContain('did you mean "images"?');
  expect(await verification.validate({ image, policy: UNKNOWN })).toEqual([]);
  expect(await verification.validate({ image, policy: policyText(bench.local) })).toEqual([]);
});

describe("an attestation with a policy in Rego (by a stand-in for opa)", () => {
  const attested = async (answer: unknown) => {
    const { bench, image, provider } = await open();
    await make(provider, attest, { image, predicates: [{ type: "custom", json: '{"a": 1}' }] });
    const told = JSON.stringify({ stdout: opaPrints(answer) });
    const data = `package sigstore\n# stand-in: ${told}\nisCompliant { true }\n`;
    const attestations = [{ name: "a", predicateType: "custom", policy: { type: "rego", data } }];
    const policy = policyText(bench.local, {
      authorities: [keyless(bench.local, { attestations })],
    });
    const programs = standIns("opa");
    closeAfterTest(() => {
      programs.remove();
      return Promise.resolve();
    });
    const verifier = await connect(bench.local, {}, { PATH: programs.folder });
    const { summaries: found, diagnostics } = await verifyImage(verifier, image, policy);
    return { found, words: details(diagnostics), calls: programs.calls() };
  };

  test("is accepted if the policy is satisfied, and its warning is shown", async () => {
    const { found, words, calls } = await attested([{ result: true, warning: "expires soon" }]);
    expect(found).toEqual(["WARNING image Note On The Verdict"]);
    expect(words).toContain("expires soon");
    const statement = JSON.parse(calls.at(-1)?.input ?? "") as unknown;
    expect(statement).toMatchObject({ predicate: { Data: '{"a": 1}' } });
  });

  test("is refused if the policy is not satisfied, with its error", async () => {
    const { found, words } = await attested([{ result: false, error: "too old" }]);
    expect(found).toEqual(["ERROR image Image Refused By Policy"]);
    expect(words).toContain("too old");
  });
});

test("a tag is resolved once: the verified image is the one returned", async () => {
  const { bench, image, provider } = await open();
  await signIt(provider, image);
  await tag(bench, image, "v1");
  const tagged = `${image.slice(0, image.indexOf("@"))}:v1`;
  const { state } = await verifyImage(provider, tagged, policyText(bench.local));
  expect(state).toMatchObject({ image: tagged, id: image, verifiedRef: image });
  const asked = provider.log.filter((line) => line.includes("/manifests/v1"));
  expect(asked).toHaveLength(1);

  await tag(bench, textOf(await bench.pushImage("another")), "v1");
  expect((await verifyImage(provider, tagged, policyText(bench.local))).summaries).toEqual([
    "ERROR image Image Refused By Policy",
  ]);
});

test("a missing image is an error", async () => {
  const { bench, image, provider } = await open();
  const other = `${image.slice(0, -64)}${"0".repeat(64)}`;
  expect((await verifyImage(provider, other, policyText(bench.local))).summaries).toEqual([
    "ERROR image Image Not Found",
  ]);
});

test("an invalid image is refused when Terraform validates", async () => {
  const { bench, provider } = await open();
  const verification = createTerraformHarness(provider).dataSource(verify);
  const policy = policyText(bench.local);
  const diagnostics = await verification.validate({ image: "https://a/b", policy });
  expect(summaries(diagnostics)).toEqual([expect.stringMatching(/^ERROR image /)]);
});
