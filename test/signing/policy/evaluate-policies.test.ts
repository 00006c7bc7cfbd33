import { RegistryError } from "../../../src/signing/oci/protocol/registry-error";
import { sign } from "node:crypto";
import {
  attestationLayer,
  signatureLayer,
  type LegacyLayer,
  simpleSigningPayload,
} from "../../../src/signing/sigstore/format/legacy-layer";
import type {
  EvaluateProgram,
  PolicyProgram,
  ProgramAnswer,
} from "../../../src/signing/policy/engine/program";
import { InterruptedError } from "../../../src/signing/sigstore/verification/next-turn";
import { evaluatePolicies, type PolicyInput } from "../../../src/signing/policy/evaluate-policies";
import type { AttachmentPlace, Candidate } from "../../../src/signing/policy/policy-evidence";
import { KeyError } from "../../../src/signing/sigstore/key/key-signer";
import { ServiceError } from "../../../src/signing/sigstore/service/call-service";
import type { TrustMaterial } from "../../../src/signing/sigstore/trust/trust-material";
import {
  verifyAttestationLayer,
  verifySignatureLayer,
} from "../../../src/signing/sigstore/verification/verify-layer";
import { digestOf, sha256Hex, type Digest } from "../../../src/signing/oci/reference/digest";
import { parseReference } from "../../../src/signing/oci/reference/reference";
import {
  keyless,
  newKey,
  policiesOf,
  policyText,
  withAuthority,
  type KeyPair,
} from "./policy-texts";
import {
  inTotoPayloadType,
  preAuthEncoding,
  writeEnvelope,
} from "../../../src/signing/sigstore/format/dsse";
import { bundleStatement, signPredicateType } from "../../../src/signing/sigstore/format/statement";

const digest: Digest = `sha256:${"ab".repeat(32)}`;
const other: Digest = `sha256:${"cd".repeat(32)}`;
const image = {
  repository: { registry: "registry.example", path: "team/app" },
  digest,
  given: "registry.example/team/app:v1",
};
const [mine, yours] = [newKey(), newKey()];
const key = { data: mine.pem };
const vuln = "https://cosign.sigstore.dev/attestation/vuln/v1";
const nobody: TrustMaterial = {
  certificateAuthorities: [],
  transparencyLogs: [],
  certificateLogs: [],
  timestampAuthorities: [],
};

type Layers = readonly Candidate<LegacyLayer>[];

/** Signatures and attestations by keys, verified for real. */
function ask(
  text: string,
  found: { readonly signatures?: Layers; readonly attestations?: Layers } = {},
  more: Partial<PolicyInput<LegacyLayer, LegacyLayer>> = {},
) {
  return evaluatePolicies<LegacyLayer, LegacyLayer>({
    policies: policiesOf(text),
    image,
    trust: () => Promise.resolve(nobody),
    signatures: () => Promise.resolve(found.signatures ?? []),
    attestations: () => Promise.resolve(found.attestations ?? []),
    verifySignature: (layer, rules) => verifySignatureLayer(layer, digest, rules),
    verifyAttestation: (layer, rules) => verifyAttestationLayer(layer, digest, rules),
    ...more,
  });
}

function signature(by: KeyPair, about = digest): Candidate<LegacyLayer> {
  const payload = simpleSigningPayload({ dockerReference: "registry.example/a", digest: about });
  const content = signatureLayer(payload, sign("sha256", payload, by.privateKey), {});
  return { label: "a signature", content };
}

function attestation(by: KeyPair, type = vuln, about = digest): Candidate<LegacyLayer> {
  const payload = bundleStatement({ digest: about, predicateType: type, predicate: { a: 1 } });
  const signed = sign("sha256", preAuthEncoding(inTotoPayloadType, payload), by.privateKey);
  const envelope = writeEnvelope({ payloadType: inTotoPayloadType, payload, signature: signed });
  return { label: `an attestation of ${type}`, content: attestationLayer(envelope, type, {}) };
}

function messageOf(verdict: Awaited<ReturnType<typeof ask>>): string {
  return verdict.isAccepted ? "accepted" : verdict.message;
}

describe("a key in a key-management service", () => {
  const kms = "awskms:///alias/releases";
  const text = withAuthority({ key: { kms } });
  const fetched = (pair: KeyPair) => ({ publicKey: () => Promise.resolve(pair.publicKey) });

  test("accepts what it has signed, and nothing of another key", async () => {
    const found = { signatures: [signature(mine)] };
    expect(messageOf(await ask(text, found, fetched(mine)))).toBe("accepted");
    expect(messageOf(await ask(text, found, fetched(yours)))).toContain(
      `looked for a legacy signature by the key ${kms}, found 1 that does not match`,
    );
  });

  test("verifies with the hash of the policy, which is SHA-256 by default", async () => {
    const large = newKey("P-384");
    const payload = simpleSigningPayload({ dockerReference: "registry.example/a", digest });
    const content = signatureLayer(payload, sign("sha384", payload, large.privateKey), {});
    const found = { signatures: [{ label: "a signature", content }] };
    expect((await ask(text, found, fetched(large))).isAccepted).toBe(false);
    const hashed = withAuthority({ key: { kms, hashAlgorithm: "sha384" } });
    expect(messageOf(await ask(hashed, found, fetched(large)))).toBe("accepted");
  });

  test("is fetched once for all policies, and not if no policy applies", async () => {
    const asked: string[] = [];
    const publicKey = (uri: string) => {
      asked.push(uri);
      return Promise.resolve(mine.publicKey);
    };
    const found = { signatures: [signature(mine)] };
    const twice = [text, withAuthority({ key: { kms } }, { key: { kms } })].join("\n---\n");
    expect(messageOf(await ask(twice, found, { publicKey }))).toBe("accepted");
    expect(asked).toEqual([kms]);
    const elsewhere = {
      images: [{ glob: "elsewhere.example/**" }],
      authorities: [{ key: { kms } }],
    };
    await ask(policyText(elsewhere), found, { publicKey });
    expect(asked).toEqual([kms]);
  });

  test("that cannot be fetched counts against its authority alone", async () => {
    const publicKey = () =>
      Promise.reject(new KeyError("KEY_SERVICE", "AWS KMS: AccessDeniedException: no"));
    const found = { signatures: [signature(mine)] };
    const verdict = await ask(text, found, { publicKey });
    expect(messageOf(verdict)).toContain(
      'authority "authority-0": AWS KMS: AccessDeniedException: no',
    );
    const either = withAuthority({ key: { kms } }, { key });
    expect(messageOf(await ask(either, found, { publicKey }))).toBe("accepted");
  });

  test.each(["DEADLINE", "CANCELLED"] as const)("ends the evaluation with %s", async (code) => {
    const publicKey = () => Promise.reject(new KeyError(code, "AWS KMS did not respond in time"));
    await expect(ask(text, {}, { publicKey })).rejects.toMatchObject({ code });
  });

  test("accepts nothing where keys cannot be fetched", async () => {
    expect(messageOf(await ask(text, { signatures: [signature(mine)] }))).toContain(
      "keys in key-management services cannot be fetched here",
    );
  });
});

describe("an image", () => {
  test("that no policy applies to is refused", async () => {
    const text = policyText({ images: [{ glob: "elsewhere.example/**" }] });
    const verdict = await ask(text);
    expect(verdict).toMatchObject({ isAccepted: false, code: "NOT_COVERED", policies: [] });
    expect(messageOf(verdict)).toContain("releases (elsewhere.example/**)");
    expect(messageOf(verdict)).toContain(`registry.example/team/app@${digest}`);
  });

  test("is matched by its full name, or by the reference as written", async () => {
    const verdicts = [
      "registry.example/team/app@*",
      image.given,
      "registry.example/team/app:v2",
    ].map(async (glob) => (await ask(policyText({ images: [{ glob }] }))).isAccepted);
    expect(await Promise.all(verdicts)).toEqual([true, true, false]);
  });

  const { registry, path } = image.repository;
  const spellings = [
    `${registry}/${path}@${digest}`,
    `${registry}/${path}`,
    `${registry}/${path}:v2`,
    `REGISTRY.Example/${path}@${digest}`,
    `${registry}:443/${path}@${digest}`,
    `${registry}:80/${path}@${digest}`,
    `Registry.example:443/${path}:v1@${digest}`,
  ];

  test.each(spellings)("meets the same policies when it is written as %s", async (given) => {
    const reference = parseReference(given);
    if ("problem" in reference) throw new Error(reference.problem);
    const repository = { registry: reference.registry, path: reference.path };
    const named = (name: string, glob: string, action: string) =>
      policyText(
        { images: [{ glob }], authorities: [{ static: { action } }] },
        { metadata: { name } },
      );
    for (const glob of [
      `${registry}/**`,
      `REGISTRY.example/**`,
      `${registry}:443/**`,
      `${registry}:80/team/*`,
    ]) {
      const everything = named("everything", "**", "pass");
      const strict = named("strict", glob, "fail");
      const asked = { image: { repository, digest, given } };
      expect(await ask([everything, strict].join("\n---\n"), {}, asked)).toMatchObject({
        isAccepted: false,
        policies: [{ policy: "everything" }, { policy: "strict" }],
      });
    }
    const elsewhere = named("elsewhere", "registry.example.evil/**", "pass");
    const asked = { image: { repository, digest, given } };
    expect(await ask(elsewhere, {}, asked)).toMatchObject({ code: "NOT_COVERED" });
  });

  test.each([
    ["busybox", "docker.io/library/*"],
    ["docker.io/busybox", "index.docker.io/library/busybox"],
    ["registry-1.docker.io/library/busybox:1", "docker.io/busy*"],
    ["DOCKER.io:443/library/busybox", "*"],
    ["index.docker.io/library/busybox", "registry-1.docker.io/library/*"],
    ["library/busybox", "busybox"],
    ["library/busybox", "library/*"],
    ["127.1:5000/a", "127.0.0.1:5000/*"],
    ["[0:0:0:0:0:0:0:1]:5000/a", "**"],
  ])("%s meets the pattern %s", async (given, glob) => {
    const reference = parseReference(given);
    if ("problem" in reference) throw new Error(reference.problem);
    const repository = { registry: reference.registry, path: reference.path };
    const text = policyText({ images: [{ glob }], authorities: [{ static: { action: "pass" } }] });
    const asked = { image: { repository, digest, given } };
    expect(await ask(text, {}, asked)).toMatchObject({ isAccepted: true });
  });

  test("must satisfy every policy that applies to it, and no other", async () => {
    const fails = { authorities: [{ static: { action: "fail" } }] };
    const named = (name: string, spec: object) => policyText(spec, { metadata: { name } });
    const elsewhere = named("elsewhere", { ...fails, images: [{ glob: "elsewhere/**" }] });
    expect(await ask([named("a", {}), elsewhere].join("\n---\n"))).toMatchObject({
      isAccepted: true,
    });
    const verdict = await ask(
      [named("a", {}), named("b", fails), named("c", fails)].join("\n---\n"),
    );
    expect(verdict).toMatchObject({
      code: "REFUSED",
      policies: [
        { policy: "a", isSatisfied: true },
        { policy: "b", isSatisfied: false },
        { isSatisfied: false },
      ],
    });
    expect(messageOf(verdict)).toMatch(/The policy "b" does not accept[^]*The policy "c" does not/);
  });

  test("must satisfy two policies of the same name", async () => {
    const fails = policyText({ authorities: [{ static: { action: "fail" } }] });
    expect((await ask([fails, policyText()].join("\n---\n"))).isAccepted).toBe(false);
    expect((await ask([policyText(), fails].join("\n---\n"))).isAccepted).toBe(false);
  });

  test("that only a policy in mode warn rejects is accepted with the warning", async () => {
    const authorities = [{ name: "gate", static: { action: "fail", message: "not\nyet" } }];
    const verdict = await ask(policyText({ mode: "warn", authorities }));
    expect(verdict).toMatchObject({
      isAccepted: true,
      policies: [{ isSatisfied: false, mode: "warn" }],
    });
    expect(verdict.warnings).toEqual([
      expect.stringMatching(
        /^The policy "releases" does not accept.*\n- authority "gate": rejects every image: not yet$/,
      ),
    ]);
  });
});

describe("an authority with a key", () => {
  test("accepts a signature of the key, without loading other trust material", async () => {
    const verdict = await ask(
      withAuthority({ key }),
      { signatures: [signature(mine)] },
      { trust: () => Promise.reject(new Error("was asked")) },
    );
    expect(verdict).toMatchObject({
      isAccepted: true,
      policies: [
        {
          authorities: [{ requirements: [{ verified: [{ value: { signer: { kind: "key" } } }] }] }],
        },
      ],
    });
  });

  test("reports what it looked for and what it found", async () => {
    const unreadable = {
      label: "layer 3",
      content: { code: "FORMAT", problem: "is not JSON" },
    } as const;
    const verdict = await ask(withAuthority({ name: "ours", key }), {
      signatures: [signature(yours), signature(mine, other), unreadable],
    });
    expect(verdict).toMatchObject({
      policies: [
        {
          authorities: [
            {
              requirements: [
                { rejected: [{ code: "SIGNATURE" }, { code: "CLAIM" }, { code: "FORMAT" }] },
              ],
            },
          ],
        },
      ],
    });
    expect(messageOf(verdict)).toMatch(
      /authority "ours": looked for a legacy signature by the key with SHA-256 [\da-f]{16}…, found 3 that do not match: a signature: .*; layer 3: is not JSON \(FORMAT\)$/,
    );
  });

  test("reports that nothing is attached", async () => {
    expect(messageOf(await ask(withAuthority({ key })))).toMatch(/found none$/);
  });

  test("lists a few of many in the message, and all in the outcome", async () => {
    const signatures = Array.from({ length: 20 }, () => signature(yours));
    const verdict = await ask(withAuthority({ key }), { signatures });
    expect(messageOf(verdict)).toMatch(/found 20 that do not match: .*; and 12 more$/);
    expect(verdict.policies[0]?.authorities[0]?.requirements[0]?.rejected).toHaveLength(20);
  });

  test("needs a log entry when it names a log that is trusted", async () => {
    const { publicKey } = yours;
    const log = { id: Buffer.alloc(32), publicKey, validity: {}, baseUrl: "https://log.example/" };
    // Twice, as a log with two keys is.
    const trust = () => Promise.resolve({ ...nobody, transparencyLogs: [log, log] });
    const found = { signatures: [signature(mine)] };
    const withLog = (url: string) => withAuthority({ key, ctlog: { url } });
    expect(messageOf(await ask(withLog("https://log.example"), found, { trust }))).toMatch(
      /no entry of a transparency log/,
    );
    expect(messageOf(await ask(withLog("https://rekor.example"), found, { trust }))).toMatch(
      /requires the transparency log https:\/\/rekor\.example, which is not trusted \(trusted: https:\/\/log\.example\/\)/,
    );
  });

  test("needs a timestamp if it requires one", async () => {
    const text = withAuthority({ key, rfc3161timestamp: {} });
    expect(messageOf(await ask(text, { signatures: [signature(mine)] }))).toMatch(/no timestamp/);
  });
});

describe("several authorities", () => {
  const [ours, theirs] = [
    { name: "ours", key },
    { name: "theirs", key: { data: yours.pem } },
  ];

  test("accept the image with the first that does", async () => {
    const verdict = await ask(withAuthority(ours, theirs), { signatures: [signature(yours)] });
    expect(verdict).toMatchObject({
      isAccepted: true,
      policies: [
        {
          authorities: [
            { authority: "ours", isSatisfied: false },
            { authority: "theirs", isSatisfied: true },
          ],
        },
      ],
    });
    const short = await ask(withAuthority(ours, theirs), { signatures: [signature(mine)] });
    expect(short.policies[0]?.authorities).toHaveLength(1);
  });

  test("are all reported when none accepts the image", async () => {
    const verdict = await ask(withAuthority(ours, theirs));
    expect(messageOf(verdict)).toMatch(
      /all of its 2 authorities fail\.\n- .*"ours".*\n- .*"theirs"/,
    );
  });

  test("read each place once", async () => {
    const places: AttachmentPlace[] = [];
    const signatures = (place: AttachmentPlace) => {
      places.push(place);
      return Promise.resolve([]);
    };
    const source = [{ oci: "registry.example/signatures" }];
    const text = withAuthority(ours, theirs, { key, source }, { key, signatureFormat: "bundle" });
    await ask(`${text}\n---\n${text}`, {}, { signatures });
    expect(places).toEqual([
      { format: "legacy" },
      {
        format: "legacy",
        source: { repository: { registry: "registry.example", path: "signatures" } },
      },
      { format: "bundle" },
    ]);
  });

  test("can still accept the image when the evidence for one of them is unavailable", async () => {
    const trust = () => Promise.reject(new ServiceError("TRANSPORT", "no way to the trust root"));
    const found = { signatures: [signature(mine)] };
    const text = withAuthority({ name: "public", keyless }, ours);
    expect(await ask(text, found, { trust })).toMatchObject({ isAccepted: true });
    expect(messageOf(await ask(withAuthority({ keyless }), found, { trust }))).toContain(
      "no way to the trust root",
    );
  });

  test.each(["DEADLINE", "CANCELLED"] as const)(
    "give no verdict after the call has ended: %s",
    async (code) => {
      const signatures = () => Promise.reject(new ServiceError(code, "over"));
      await expect(
        ask(policyText({ mode: "warn", authorities: [{ key }] }), {}, { signatures }),
      ).rejects.toMatchObject({ code });
    },
  );

  test("do not treat a bug as a failed signature", async () => {
    const signatures = () => Promise.reject(new TypeError("a bug"));
    await expect(
      ask(policyText({ mode: "warn", authorities: [{ key }] }), {}, { signatures }),
    ).rejects.toThrow("a bug");
  });
});

describe("attestations", () => {
  const wanted = (...types: readonly string[]) =>
    withAuthority({
      key,
      attestations: types.map((predicateType) => ({
        name: `about ${predicateType}`,
        predicateType,
      })),
    });

  test("suffice without a signature where a policy names them", async () => {
    const attestations = [attestation(yours), attestation(mine)];
    expect(await ask(wanted("vuln"), { attestations })).toMatchObject({
      isAccepted: true,
      policies: [
        {
          authorities: [
            { requirements: [{ verified: [{ value: { statement: { predicateType: vuln } } }] }] },
          ],
        },
      ],
    });
  });

  test("are not replaced by a signature", async () => {
    const found = { signatures: [signature(mine)] };
    expect(messageOf(await ask(wanted("vuln"), found))).toMatch(
      /looked for a legacy attestation "about vuln" of the type https:\S+vuln\/v1 by the key/,
    );
  });

  test("are all needed, each of its type", async () => {
    const types = ["vuln", "https://example.com/b"];
    const found = { attestations: [attestation(mine), attestation(mine, "https://example.com/c")] };
    const verdict = await ask(wanted(...types), found);
    expect(messageOf(verdict)).toMatch(
      /"about https:\/\/example\.com\/b".*has the type "https:\/\/example\.com\/c"/,
    );
    expect(messageOf(verdict)).not.toContain('"about vuln"');
    const all = { attestations: [...found.attestations, attestation(mine, types[1])] };
    expect((await ask(wanted(...types), all)).isAccepted).toBe(true);
  });

  test("about another image, or by another signer, do not count", async () => {
    const attestations = [attestation(mine, vuln, other), attestation(yours)];
    const verdict = await ask(wanted("vuln"), { attestations });
    expect(verdict).toMatchObject({
      policies: [
        {
          authorities: [
            { requirements: [{ rejected: [{ code: "CLAIM" }, { code: "SIGNATURE" }] }] },
          ],
        },
      ],
    });
  });

  test("that are labelled as signatures are read from bundles only", async () => {
    const attestations = [{ ...attestation(mine), claimedType: signPredicateType }];
    const wantedIn = (signatureFormat: string) =>
      withAuthority({
        key,
        signatureFormat,
        attestations: [{ name: "scan", predicateType: vuln }],
      });
    expect(messageOf(await ask(wantedIn("bundle"), { attestations }))).toBe("accepted");
    expect(messageOf(await ask(wantedIn("legacy"), { attestations }))).toContain(
      `has the type "${signPredicateType}"`,
    );
  });

  test.each([
    ["slsaprovenance1", "https://slsa.dev/provenance/v1", "https://slsa.dev/provenance/v0.2"],
    ["slsaprovenance02", "https://slsa.dev/provenance/v0.2", "https://slsa.dev/provenance/v1"],
    ["openvex", "https://openvex.dev/ns", "https://openvex.dev/other"],
  ])("of the type %s are those of its URI, and no others", async (predicateType, type, another) => {
    const text = withAuthority({ key, attestations: [{ name: "a", predicateType }] });
    const verdictOf = async (of: string) =>
      (await ask(text, { attestations: [attestation(mine, of)] })).isAccepted;
    expect(await verdictOf(type)).toBe(true);
    expect(await verdictOf(another)).toBe(false);
    expect(await verdictOf(predicateType)).toBe(false);
  });

  test("alone never count as a signature", async () => {
    const found = { attestations: [attestation(mine)] };
    expect(messageOf(await ask(withAuthority({ key }), found))).toMatch(/found none/);
    // Nor when they are handed in, and verified, as one.
    const signatures = [attestation(mine)];
    const verdict = await ask(
      withAuthority({ key }),
      { signatures },
      { verifySignature: (layer, rules) => verifyAttestationLayer(layer, digest, rules) },
    );
    expect(messageOf(verdict)).toMatch(/is an attestation, which does not count as a signature/);
  });

  test("about another image do not count as a signature in a bundle either", async () => {
    const verdictOf = (about: Digest) =>
      ask(
        withAuthority({ key, signatureFormat: "bundle" }),
        { signatures: [signature(mine)] },
        {
          verifySignature: () => ({
            signer: { kind: "key", keyId: "00" },
            signature: Buffer.of(),
            contentSha256: "00",
            statementSha256: "00",
            statement: {
              type: "",
              predicate: {},
              json: {},
              predicateType: signPredicateType,
              subjects: [{ digest: { sha256: about.slice("sha256:".length) } }],
            },
          }),
        },
      );
    expect((await verdictOf(digest)).isAccepted).toBe(true);
    expect(messageOf(await verdictOf(other))).toMatch(/about another image/);
  });
});

describe("a policy in another language", () => {
  const program = { type: "cue", data: "predicate: a: 1" } as const;
  const attested = { key, attestations: [{ name: "scan", predicateType: vuln, policy: program }] };
  const found = { attestations: [attestation(mine)] };
  const answering = (answer: ProgramAnswer) => {
    const asked: { program: PolicyProgram; input: unknown }[] = [];
    const evaluate: EvaluateProgram = (given, input) => {
      asked.push({ program: given, input: JSON.parse(input) as unknown });
      return Promise.resolve(answer);
    };
    return { asked, evaluate };
  };

  test("must accept the statement of an attestation", async () => {
    const { asked, evaluate } = answering({ isCompliant: true });
    expect(await ask(withAuthority(attested), found, { evaluate })).toMatchObject({
      isAccepted: true,
      advice: [],
    });
    expect(asked).toMatchObject([{ program, input: { predicateType: vuln, predicate: { a: 1 } } }]);
  });

  test("that does not accept the statement refuses the image, with its words", async () => {
    const { evaluate } = answering({ isCompliant: false, problem: "is not satisfied: too old" });
    const verdict = await ask(withAuthority(attested), found, { evaluate });
    expect(messageOf(verdict)).toContain(
      "satisfying its policy in cue, found 1 that does not match",
    );
    expect(messageOf(verdict)).toContain("its policy is not satisfied: too old");
  });

  test("sees no attestation by others, of other types, or about other images", async () => {
    const { asked, evaluate } = answering({ isCompliant: true });
    const others = [
      attestation(yours),
      attestation(mine, "https://x.y/z"),
      attestation(mine, vuln, other),
    ];
    const verdict = await ask(withAuthority(attested), { attestations: others }, { evaluate });
    expect(verdict).toMatchObject({ isAccepted: false });
    expect(asked).toEqual([]);
  });

  test("explains a refusal before it lists attestations of other types", async () => {
    const { evaluate } = answering({ isCompliant: false, problem: "is not satisfied: too old" });
    const others = Array.from({ length: 11 }, () => attestation(mine, "https://example.com/c"));
    const attestations = [...others, attestation(mine)];
    const verdict = await ask(withAuthority(attested), { attestations }, { evaluate });
    expect(messageOf(verdict)).toMatch(/not match: [^;]* its policy is not satisfied: too old/);
  });

  test("refuses where nothing evaluates it", async () => {
    expect(messageOf(await ask(withAuthority(attested), found))).toContain("cannot be evaluated");
    const whole = policyText({ policy: program });
    expect(messageOf(await ask(whole))).toContain("cannot be evaluated");
    expect(await ask(withAuthority(attested), found)).toMatchObject({ code: "NOT_KNOWN" });
    expect(await ask(whole)).toMatchObject({ code: "NOT_KNOWN" });
    const { evaluate } = answering({ isCompliant: false, problem: "is not satisfied" });
    expect(await ask(whole, {}, { evaluate })).toMatchObject({ code: "REFUSED" });
    expect(await ask(withAuthority(attested))).toMatchObject({ code: "REFUSED" });
  });

  test("may warn, whether it accepts or not", async () => {
    for (const answer of [
      { isCompliant: true, warning: "soon" },
      { isCompliant: false, problem: "no", warning: "soon" },
    ] as const) {
      const verdict = await ask(withAuthority(attested), found, answering(answer));
      expect(verdict.advice).toEqual([
        expect.stringMatching(/^The policy "releases" warns: an attestation of .*: soon$/),
      ]);
    }
  });

  test("over the results sees what every authority found", async () => {
    const { asked, evaluate } = answering({ isCompliant: true, warning: "soon" });
    // As the policy writes it, not as the statement.
    const plain = { key, attestations: [{ name: "scan", predicateType: "vuln" }] };
    const text = policyText({
      policy: program,
      authorities: [
        { name: "static", static: { action: "pass" } },
        { name: "attested", ...plain },
        { name: "signed", key },
        { name: "missing", key: { data: yours.pem } },
      ],
    });
    const both = { ...found, signatures: [signature(mine)] };
    const [scan] = found.attestations;
    const layer = scan !== undefined && "content" in scan ? scan.content : undefined;
    const attestedDigest = layer && "blob" in layer && digestOf(layer.blob);
    const verdict = await ask(text, both, { evaluate });
    expect(verdict).toMatchObject({
      isAccepted: true,
      advice: ['The policy "releases" warns: soon'],
    });
    expect(asked.map(({ input }) => input)).toEqual([
      {
        authorityMatches: {
          static: { static: true },
          attested: {
            attestations: {
              scan: [{ id: sha256Hex(Buffer.of()), predicateType: "vuln", digest: attestedDigest }],
            },
          },
          signed: { signatures: [{ id: expect.stringMatching(/^[\da-f]{64}$/) as unknown }] },
        },
      },
    ]);
  });

  test("over the results refuses the image, also if authorities accept it", async () => {
    const { evaluate } = answering({
      isCompliant: false,
      problem: "is not satisfied: one is not enough",
    });
    const verdict = await ask(policyText({ policy: program }), {}, { evaluate });
    expect(messageOf(verdict)).toMatch(/its policy over the results .* one is not enough/);
    const warned = await ask(policyText({ policy: program, mode: "warn" }), {}, { evaluate });
    expect(warned).toMatchObject({ isAccepted: true, warnings: [expect.stringMatching(/enough/)] });
  });

  test("over the results reads the configuration of the image, once for all policies", async () => {
    const { asked, evaluate } = answering({ isCompliant: true });
    const reading = { ...program, fetchConfigFile: true };
    const text = [policyText({ policy: reading }), policyText({ policy: reading })].join("\n---\n");
    let reads = 0;
    const configurations = () => {
      reads++;
      return Promise.resolve({ "linux/amd64": { os: "linux" } });
    };
    expect(await ask(text, {}, { evaluate, configurations })).toMatchObject({ isAccepted: true });
    expect(asked.map(({ input }) => input)).toMatchObject([
      { config: { "linux/amd64": { os: "linux" } } },
      { config: { "linux/amd64": { os: "linux" } } },
    ]);
    expect(reads).toBe(1);
  });

  test("over the results refuses the image if its configuration cannot be read", async () => {
    const { evaluate } = answering({ isCompliant: true });
    const text = policyText({ policy: { ...program, fetchConfigFile: true } });
    expect(messageOf(await ask(text, {}, { evaluate }))).toContain("needs the image's");
    const failing = (error: Error) => ({ evaluate, configurations: () => Promise.reject(error) });
    const gone = new RegistryError({ code: "NOT_FOUND", message: "it is gone" });
    expect(messageOf(await ask(text, {}, failing(gone)))).toContain(
      "cannot be evaluated: it is gone",
    );
    await expect(ask(text, {}, failing(new Error("a bug")))).rejects.toThrow("a bug");
  });

  test("over the results is not asked if no authority accepts the image", async () => {
    const { asked, evaluate } = answering({ isCompliant: true });
    const text = policyText({ policy: program, authorities: [{ key }] });
    expect(await ask(text, {}, { evaluate })).toMatchObject({ isAccepted: false });
    expect(asked).toEqual([]);
  });

  test("ends with the call", async () => {
    const evaluate = () =>
      Promise.reject(new InterruptedError("DEADLINE", "a policy was evaluated"));
    await expect(ask(withAuthority(attested), found, { evaluate })).rejects.toMatchObject({
      code: "DEADLINE",
    });
  });
});
