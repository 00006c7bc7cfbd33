import { RegistryError } from "../../../../src/core/signing/oci/registry/registry-error";
import { sign } from "node:crypto";
import {
  attestationLayer,
  signatureLayer,
  type LegacyLayer,
  simpleSigningPayload,
} from "../../../../src/core/signing/sigstore/format/manifest";
import type {
  EvaluateProgram,
  PolicyProgram,
  ProgramAnswer,
} from "../../../../src/core/signing/policy/engine/run-engine";
import { endedWhile, httpError } from "../../../../src/core/http/http-error";
import type { PolicyInput } from "../../../../src/core/signing/policy/evaluate-policies";
import type {
  AttachmentPlace,
  Candidate,
} from "../../../../src/core/signing/policy/policy-evidence";
import { keyError } from "../../../../src/core/signing/sigstore/key/key-signer";
import type { TrustMaterial } from "../../../../src/core/signing/sigstore/trust/trusted-root";
import {
  digestOf,
  sha256Hex,
  type Digest,
} from "../../../../src/core/signing/oci/reference/descriptor";
import { parseReference } from "../../../../src/core/signing/oci/reference/image-name";
import { keyless, newKey, policyText, withAuthority, type KeyPair } from "./policy-texts";
import { foundLayer, verdictOn, wordsOf } from "./verdict-on";
import {
  bundleStatement,
  inTotoPayloadType,
  preAuthEncoding,
  signPredicateType,
  writeEnvelope,
} from "../../../../src/core/signing/sigstore/format/statement";

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

/** Signatures and attestations by keys, verified for real. */
const ask = (
  text: string,
  {
    signatures = [],
    attestations = [],
  }: Partial<Record<"signatures" | "attestations", readonly Candidate[]>> = {},
  more: Partial<PolicyInput> = {},
) =>
  verdictOn(text, digest, {
    signatures: () => Promise.resolve(signatures),
    attestations: () => Promise.resolve(attestations),
    ...more,
  });

function signature(by: KeyPair, about = digest): Candidate {
  const payload = simpleSigningPayload({ dockerReference: "registry.example/a", digest: about });
  const signed = sign("sha256", payload, by.privateKey);
  return foundLayer("a signature", signatureLayer(payload, signed, {}));
}

function attestation(by: KeyPair, type = vuln, about = digest): Candidate {
  return foundLayer(`an attestation of ${type}`, attestationContent(by, type, about));
}

function attestationContent(by: KeyPair, type = vuln, about = digest): LegacyLayer {
  const payload = bundleStatement({ digest: about, predicateType: type, predicate: { a: 1 } });
  const signed = sign("sha256", preAuthEncoding(inTotoPayloadType, payload), by.privateKey);
  const envelope = writeEnvelope({ payloadType: inTotoPayloadType, payload, signature: signed });
  return attestationLayer(envelope, type, {});
}

describe("a key in a key-management service", () => {
  const kms = "awskms:///alias/releases";
  const text = withAuthority({ key: { kms } });
  const fetched = (pair: KeyPair) => ({ publicKey: () => Promise.resolve(pair.publicKey) });

  test("accepts what it has signed, and nothing of another key", async () => {
    const found = { signatures: [signature(mine)] };
    expect(wordsOf(await ask(text, found, fetched(mine)))).toBe("accepted");
    expect(wordsOf(await ask(text, found, fetched(yours)))).toContain(
      `Needs \`a legacy signature by the key ${kms}\`\n      - did not count (SIGNATURE)`,
    );
  });

  test("verifies with the hash of the policy, which is SHA-256 by default", async () => {
    const large = newKey("P-384");
    const payload = simpleSigningPayload({ dockerReference: "registry.example/a", digest });
    const layer = signatureLayer(payload, sign("sha384", payload, large.privateKey), {});
    const found = { signatures: [foundLayer("a signature", layer)] };
    expect((await ask(text, found, fetched(large))).accepted).toBe(false);
    const hashed = withAuthority({ key: { kms, hashAlgorithm: "sha384" } });
    expect(wordsOf(await ask(hashed, found, fetched(large)))).toBe("accepted");
  });

  test("is fetched once for all policies, and not if no policy applies", async () => {
    const asked: string[] = [];
    const publicKey = (uri: string) => {
      asked.push(uri);
      return Promise.resolve(mine.publicKey);
    };
    const found = { signatures: [signature(mine)] };
    const twice = [text, withAuthority({ key: { kms } }, { key: { kms } })].join("\n---\n");
    expect(wordsOf(await ask(twice, found, { publicKey }))).toBe("accepted");
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
      Promise.reject(keyError("KEY_SERVICE", "AWS KMS: AccessDeniedException: no"));
    const found = { signatures: [signature(mine)] };
    const verdict = await ask(text, found, { publicKey });
    expect(wordsOf(verdict)).toContain(
      "Authority `authority-0` does not accept it (NOT_READ): `AWS KMS: AccessDeniedException: no`",
    );
    const either = withAuthority({ key: { kms } }, { key });
    expect(wordsOf(await ask(either, found, { publicKey }))).toBe("accepted");
  });

  test.each(["DEADLINE", "CANCELLED"] as const)("ends the evaluation with %s", async (code) => {
    const publicKey = () => Promise.reject(httpError(code, "AWS KMS did not respond in time"));
    await expect(ask(text, {}, { publicKey })).rejects.toMatchObject({ code });
  });

  test("accepts nothing where keys cannot be fetched", async () => {
    expect(wordsOf(await ask(text, { signatures: [signature(mine)] }))).toContain(
      "keys in key-management services cannot be fetched here",
    );
  });
});

describe("an image", () => {
  test("that no policy applies to is refused", async () => {
    const text = policyText({ images: [{ glob: "elsewhere.example/**" }] });
    const verdict = await ask(text);
    expect(verdict).toMatchObject({ accepted: false, code: "NOT_COVERED", policies: [] });
    expect(wordsOf(verdict)).toContain('The policy "releases" applies to elsewhere.example/**.');
    expect(wordsOf(verdict)).toContain(`registry.example/team/app@${digest}`);
  });

  test("is matched by its full name, or by the reference as written", async () => {
    const verdicts = [
      "registry.example/team/app@*",
      image.given,
      "registry.example/team/app:v2",
    ].map(async (glob) => (await ask(policyText({ images: [{ glob }] }))).accepted);
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
        accepted: false,
        policies: [{ name: "everything" }, { name: "strict" }],
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
    expect(await ask(text, {}, asked)).toMatchObject({ accepted: true });
  });

  test("must satisfy every policy that applies to it, and no other", async () => {
    const fails = { authorities: [{ static: { action: "fail" } }] };
    const named = (name: string, spec: object) => policyText(spec, { metadata: { name } });
    const elsewhere = named("elsewhere", { ...fails, images: [{ glob: "elsewhere/**" }] });
    expect(await ask([named("a", {}), elsewhere].join("\n---\n"))).toMatchObject({
      accepted: true,
    });
    const verdict = await ask(
      [named("a", {}), named("b", fails), named("c", fails)].join("\n---\n"),
    );
    expect(verdict).toMatchObject({
      code: "REFUSED",
      policies: [
        { name: "a", accepted: true },
        { name: "b", accepted: false },
        { accepted: false },
      ],
    });
    expect(wordsOf(verdict)).toMatch(/Policy `b` does not accept[^]*Policy `c` does not/);
  });

  test("must satisfy two policies of the same name", async () => {
    const fails = policyText({ authorities: [{ static: { action: "fail" } }] });
    expect((await ask([fails, policyText()].join("\n---\n"))).accepted).toBe(false);
    expect((await ask([policyText(), fails].join("\n---\n"))).accepted).toBe(false);
  });

  test("that only a policy in mode warn rejects is accepted with the warning", async () => {
    const authorities = [{ name: "gate", static: { action: "fail", message: "not\nyet" } }];
    const verdict = await ask(policyText({ mode: "warn", authorities }));
    expect(verdict).toMatchObject({
      accepted: true,
      policies: [{ accepted: false, mode: "warn" }],
    });
    expect(verdict.text).toContain(
      "- Policy `releases` does not accept it, but only warns (NO_AUTHORITY)\n" +
        "  - Authority `gate` does not accept it (STATIC): `rejects every image: not yet`",
    );
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
      accepted: true,
      policies: [
        {
          authorities: [{ requirements: [{ counted: [{ key: expect.any(String) as unknown }] }] }],
        },
      ],
    });
  });

  test("reports what it looked for and what it found", async () => {
    const problem = { code: "FORMAT", problem: "is not JSON" } as const;
    const unreadable = { label: "layer 3", read: () => Promise.resolve(problem) };
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
    expect(wordsOf(verdict)).toMatch(
      /Authority `ours` .*\n +- Needs `a legacy signature by the key with SHA-256 [\da-f]{16}…`\n(?: .*`a signature`.*\n){2} +- did not count \(FORMAT\): `layer 3`: `is not JSON`$/m,
    );
  });

  test("reports that nothing is attached", async () => {
    expect(wordsOf(await ask(withAuthority({ key })))).toMatch(/: found nothing$/m);
  });

  test("lists a few of many in the message, and all in the outcome", async () => {
    const signatures = Array.from({ length: 20 }, () => signature(yours));
    const verdict = await ask(withAuthority({ key }), { signatures });
    expect(wordsOf(verdict)).toMatch(/(?: did not count .*\n *-){8} 12 more that did not count$/m);
    expect(verdict.policies[0]?.authorities[0]?.requirements[0]?.rejected).toHaveLength(20);
  });

  test("reports at most 100 of each, and words of others on one line of at most 500 characters", async () => {
    const label = "x\n# Accepted\u001b[2J";
    const problem = { code: "FORMAT", problem: "z".repeat(2_000) } as const;
    const broken = { label, read: () => Promise.resolve(problem) };
    const signatures = Array.from({ length: 150 }, () => broken);
    const verdict = await ask(withAuthority({ key }), { signatures });
    const requirement = verdict.policies[0]?.authorities[0]?.requirements[0];
    expect(requirement).toMatchObject({ countedTotal: 0, rejectedTotal: 150 });
    expect(requirement?.rejected).toHaveLength(100);
    expect(requirement?.rejected[0]).toMatchObject({
      candidate: "x # Accepted\\u001b[2J",
      problem: expect.stringMatching(/^z{499}…$/) as unknown,
    });
  });

  test("needs a log entry when it names a log that is trusted", async () => {
    const { publicKey } = yours;
    const log = { id: Buffer.alloc(32), publicKey, validity: {}, baseUrl: "https://log.example/" };
    // Twice, as a log with two keys is.
    const trust = () => Promise.resolve({ ...nobody, transparencyLogs: [log, log] });
    const found = { signatures: [signature(mine)] };
    const withLog = (url: string) => withAuthority({ key, ctlog: { url } });
    expect(wordsOf(await ask(withLog("https://log.example"), found, { trust }))).toMatch(
      /no entry of a transparency log/,
    );
    expect(wordsOf(await ask(withLog("https://rekor.example"), found, { trust }))).toMatch(
      /requires the transparency log https:\/\/rekor\.example, which is not trusted \(trusted: https:\/\/log\.example\/\)/,
    );
  });

  test("needs a timestamp if it requires one", async () => {
    const text = withAuthority({ key, rfc3161timestamp: {} });
    expect(wordsOf(await ask(text, { signatures: [signature(mine)] }))).toMatch(/no timestamp/);
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
      accepted: true,
      policies: [
        {
          authorities: [
            { name: "ours", accepted: false },
            { name: "theirs", accepted: true },
          ],
        },
      ],
    });
    const short = await ask(withAuthority(ours, theirs), { signatures: [signature(mine)] });
    expect(short.policies[0]?.authorities).toHaveLength(1);
  });

  test("are all reported when none accepts the image", async () => {
    const verdict = await ask(withAuthority(ours, theirs));
    expect(wordsOf(verdict)).toMatch(/Authority `ours` does not[^]*Authority `theirs` does not/);
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
    const trust = () => Promise.reject(httpError("NO_ANSWER", "no way to the trust root"));
    const found = { signatures: [signature(mine)] };
    const text = withAuthority({ name: "public", keyless }, ours);
    expect(await ask(text, found, { trust })).toMatchObject({ accepted: true });
    expect(wordsOf(await ask(withAuthority({ keyless }), found, { trust }))).toContain(
      "no way to the trust root",
    );
  });

  test.each(["DEADLINE", "CANCELLED"] as const)(
    "give no verdict after the call has ended: %s",
    async (code) => {
      const signatures = () => Promise.reject(httpError(code, "over"));
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
      accepted: true,
      policies: [
        {
          authorities: [{ requirements: [{ counted: [{ predicateType: vuln }] }] }],
        },
      ],
    });
  });

  test("are not replaced by a signature", async () => {
    const found = { signatures: [signature(mine)] };
    expect(wordsOf(await ask(wanted("vuln"), found))).toMatch(
      /Needs `a legacy attestation "about vuln" of the type https:\S+vuln\/v1 by the key/,
    );
  });

  test("are all needed, each of its type", async () => {
    const types = ["vuln", "https://example.com/b"];
    const found = { attestations: [attestation(mine), attestation(mine, "https://example.com/c")] };
    const verdict = await ask(wanted(...types), found);
    expect(wordsOf(verdict)).toMatch(
      /"about https:\/\/example\.com\/b"[^]*has the type "https:\/\/example\.com\/c"/,
    );
    expect(verdict.policies[0]?.authorities[0]?.requirements).toMatchObject([
      { attestation: "about vuln", accepted: true },
      { accepted: false },
    ]);
    const all = { attestations: [...found.attestations, attestation(mine, types[1])] };
    expect((await ask(wanted(...types), all)).accepted).toBe(true);
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
    expect(wordsOf(await ask(wantedIn("bundle"), { attestations }))).toBe("accepted");
    expect(wordsOf(await ask(wantedIn("legacy"), { attestations }))).toContain(
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
      (await ask(text, { attestations: [attestation(mine, of)] })).accepted;
    expect(await verdictOf(type)).toBe(true);
    expect(await verdictOf(another)).toBe(false);
    expect(await verdictOf(predicateType)).toBe(false);
  });

  test("alone never count as a signature", async () => {
    const found = { attestations: [attestation(mine)] };
    expect(wordsOf(await ask(withAuthority({ key }), found))).toContain("found nothing");
    // Nor when they are found where signatures are.
    const signatures = [attestation(mine)];
    expect(wordsOf(await ask(withAuthority({ key }), { signatures }))).toContain(
      "did not count (FORMAT)",
    );
  });
});

describe("the images of an index", () => {
  const accepted = () => ask(policyText());
  const refused = () => ask(withAuthority({ static: { action: "fail" } }));
  const notKnown = () =>
    ask(
      withAuthority({ keyless }),
      {},
      { trust: () => Promise.reject(httpError("NO_ANSWER", "no way")) },
    );
  const uncovered = () => ask(policyText({ images: [{ glob: "elsewhere.example/**" }] }));

  test.each([
    ["ACCEPTED", accepted, [accepted, accepted]],
    ["REFUSED", accepted, [accepted, refused, notKnown]],
    ["REFUSED", accepted, [uncovered]],
    ["NOT_KNOWN", accepted, [accepted, notKnown]],
    ["REFUSED", notKnown, [refused]],
    ["NOT_KNOWN", notKnown, [accepted]],
  ])("must all be accepted: %s", async (code, own, parts) => {
    const images = await Promise.all(parts.map((each) => each()));
    const text = own === accepted ? policyText() : withAuthority({ keyless });
    const trust = () => Promise.reject(httpError("NO_ANSWER", "no way"));
    const verdict = await ask(text, {}, { images, trust });
    expect(verdict).toMatchObject({ code, accepted: code === "ACCEPTED", images });
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
      accepted: true,
      notes: [],
    });
    expect(asked).toMatchObject([{ program, input: { predicateType: vuln, predicate: { a: 1 } } }]);
  });

  test("that does not accept the statement refuses the image, with its words", async () => {
    const { evaluate } = answering({ isCompliant: false, problem: "is not satisfied: too old" });
    const verdict = await ask(withAuthority(attested), found, { evaluate });
    expect(wordsOf(verdict)).toContain(
      "satisfying its policy in cue`\n      - did not count (POLICY)",
    );
    expect(wordsOf(verdict)).toContain("its policy is not satisfied: too old");
  });

  test("sees no attestation by others, of other types, or about other images", async () => {
    const { asked, evaluate } = answering({ isCompliant: true });
    const others = [
      attestation(yours),
      attestation(mine, "https://x.y/z"),
      attestation(mine, vuln, other),
    ];
    const verdict = await ask(withAuthority(attested), { attestations: others }, { evaluate });
    expect(verdict).toMatchObject({ accepted: false });
    expect(asked).toEqual([]);
  });

  test("explains a refusal before it lists attestations of other types", async () => {
    const { evaluate } = answering({ isCompliant: false, problem: "is not satisfied: too old" });
    const others = Array.from({ length: 11 }, () => attestation(mine, "https://example.com/c"));
    const attestations = [...others, attestation(mine)];
    const verdict = await ask(withAuthority(attested), { attestations }, { evaluate });
    expect(wordsOf(verdict)).toMatch(
      /satisfying its policy in cue`\n .* `its policy is not satisfied: too old`/,
    );
  });

  test("refuses where nothing evaluates it", async () => {
    expect(wordsOf(await ask(withAuthority(attested), found))).toContain("cannot be evaluated");
    const whole = policyText({ policy: program });
    expect(wordsOf(await ask(whole))).toContain("cannot be evaluated");
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
      expect(verdict.notes).toEqual([
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
    const layer = attestationContent(mine);
    const attestations = [foundLayer("an attestation", layer)];
    const both = { attestations, signatures: [signature(mine)] };
    const verdict = await ask(text, both, { evaluate });
    expect(verdict).toMatchObject({
      accepted: true,
      notes: ['The policy "releases" warns: soon'],
    });
    expect(asked.map(({ input }) => input)).toEqual([
      {
        authorityMatches: {
          static: { static: true },
          attested: {
            attestations: {
              scan: [
                { id: sha256Hex(Buffer.of()), predicateType: "vuln", digest: digestOf(layer.blob) },
              ],
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
    expect(wordsOf(verdict)).toMatch(
      /does not accept it \(POLICY\): `is not satisfied: one is not enough`/,
    );
    const warned = await ask(policyText({ policy: program, mode: "warn" }), {}, { evaluate });
    expect(warned).toMatchObject({ accepted: true, policies: [{ accepted: false }] });
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
    expect(await ask(text, {}, { evaluate, configurations })).toMatchObject({ accepted: true });
    expect(asked.map(({ input }) => input)).toMatchObject([
      { config: { "linux/amd64": { os: "linux" } } },
      { config: { "linux/amd64": { os: "linux" } } },
    ]);
    expect(reads).toBe(1);
  });

  test("over the results refuses the image if its configuration cannot be read", async () => {
    const { evaluate } = answering({ isCompliant: true });
    const text = policyText({ policy: { ...program, fetchConfigFile: true } });
    expect(wordsOf(await ask(text, {}, { evaluate }))).toContain("needs the image's");
    const failing = (error: Error) => ({ evaluate, configurations: () => Promise.reject(error) });
    const gone = new RegistryError("NOT_FOUND", "it is gone");
    expect(wordsOf(await ask(text, {}, failing(gone)))).toContain(
      "cannot be evaluated: it is gone",
    );
    await expect(ask(text, {}, failing(new Error("a bug")))).rejects.toThrow("a bug");
  });

  test("over the results is not asked if no authority accepts the image", async () => {
    const { asked, evaluate } = answering({ isCompliant: true });
    const text = policyText({ policy: program, authorities: [{ key }] });
    expect(await ask(text, {}, { evaluate })).toMatchObject({ accepted: false });
    expect(asked).toEqual([]);
  });

  test("ends with the call", async () => {
    const evaluate = () => Promise.reject(endedWhile("DEADLINE", "a policy was evaluated"));
    await expect(ask(withAuthority(attested), found, { evaluate })).rejects.toMatchObject({
      code: "DEADLINE",
    });
  });
});
