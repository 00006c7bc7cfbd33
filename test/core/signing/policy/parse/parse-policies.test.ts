import fc from "fast-check";
import { generateKeyPairSync } from "node:crypto";
import {
  formatProblem,
  type PolicyProblem,
} from "../../../../../src/core/signing/policy/parse/policy-fields";
import {
  parsePolicies,
  policyProblems,
} from "../../../../../src/core/signing/policy/parse/parse-policies";
import { toPem } from "../../../../../src/core/signing/sigstore/der/der-element";
import { Authorities } from "../../sigstore/verification/authorities";
import {
  identity,
  keyless,
  newKey,
  placesOf,
  policiesOf,
  policyText,
  problemsOf,
  signingAuthorityOf,
  withAuthority,
} from "../policy-texts";

const { pem } = newKey();

const annotated = (missing: string) => ({
  name: "a",
  annotations: { "trivet.local/missing-fields": missing },
});

describe("a string with policies", () => {
  test.each(["policy.sigstore.dev/v1beta1", "policy.sigstore.dev/v1alpha1"])(
    "may contain a ClusterImagePolicy of %s",
    (apiVersion) => {
      const [policy, ...others] = policiesOf(policyText({}, { apiVersion }));
      expect(others).toEqual([]);
      expect(policy).toMatchObject({ name: "releases", mode: "enforce" });
      expect(policy?.authorities).toEqual([
        { kind: "static", name: "authority-0", action: "pass", message: undefined },
      ]);
    },
  );

  test("may contain several, in YAML and JSON, with empty documents and Secrets among them", () => {
    const yaml = [
      "apiVersion: policy.sigstore.dev/v1beta1",
      "kind: ClusterImagePolicy",
      "metadata:",
      "  name: 'y'",
      "  labels: {team: a}",
      "  creationTimestamp: null",
      "spec:",
      "  mode: warn",
      "  images:",
      "  - glob: '**'",
      "  match:",
      "  - {group: apps, version: v1, resource: deployments, selector: {matchLabels: {a: b}}}",
      "  authorities:",
      "  - name: nobody",
      "    static:",
      "      action: fail",
      "      message: not yet",
      "status: {}",
    ].join("\n");
    const secret = [
      "apiVersion: v1",
      "kind: Secret",
      "metadata: {name: keys, namespace: cosign-system}",
      "type: Opaque",
      "data: {key: YQ==}",
    ].join("\n");
    const text = ["# nothing", secret, yaml, policyText(), ""].join("\n---\n");
    const [first, second] = policiesOf(text);
    expect(first).toMatchObject({ name: "y", mode: "warn" });
    expect(first?.authorities[0]).toMatchObject({ action: "fail", message: "not yet" });
    expect(second).toMatchObject({ name: "releases" });
  });

  test("reports all problems at once, each with its document and path", () => {
    const text = [
      policyText({ images: [], authorities: [] }),
      "kind: [",
      policyText({ mode: "maybe", images: [{ glob: "a b" }, { glob: "ok", extra: 1 }] }),
      policyText({ authorities: [{ key: { data: pem, hashAlgorithm: "md5" } }, { keyless: {} }] }),
    ].join("\n---\n");
    expect(placesOf(text)).toEqual([
      "1 spec.images",
      "1 spec.authorities",
      "2 ",
      "3 spec.images[1].extra",
      "3 spec.images[0].glob",
      "3 spec.mode",
      "4 spec.authorities[0].key.hashAlgorithm",
      "4 spec.authorities[1].keyless.identities",
    ]);
  });

  test("may contain a list, as kubectl writes it", () => {
    const list = (items: unknown, more: object = {}) =>
      JSON.stringify({ apiVersion: "v1", kind: "List", items, metadata: {}, ...more });
    const of = (spec: object, more: object = {}): unknown => JSON.parse(policyText(spec, more));
    const root = { apiVersion: "policy.sigstore.dev/v1alpha1", kind: "TrustRoot" };
    const text = list([of({ mode: "warn" }), of({}, { metadata: { name: "second", uid: "1" } })]);
    expect(policiesOf(text).map(({ name }) => name)).toEqual(["releases", "second"]);
    expect(placesOf(list([of({}), of({ mode: "maybe" })]))).toEqual(["1 items[1].spec.mode"]);
    expect(placesOf(list([root, "a", of({})]))).toEqual([
      "1 items[0].metadata.name",
      "1 items[0].spec",
      "1 items[1]",
    ]);
    expect(placesOf(list({}))).toEqual(["1 items"]);
    expect(placesOf(list([], { more: 1 }))).toEqual(["1 more"]);
    expect(problemsOf(list([]))).toMatch(/must contain a ClusterImagePolicy/);
    expect(placesOf(list([{ apiVersion: "v1", kind: "List", items: [] }]))).toEqual(["1 items[0]"]);
  });

  test("refuses what a cluster would not take", () => {
    const match = [{ selector: { matchLabels: { a: "b" } } }, { resource: "pods", selector: {} }];
    expect(placesOf(policyText({ match }))).toEqual(["1 spec.match[0].resource"]);
    expect(problemsOf(policyText({ match: [{ resource: "apple" }] }))).toContain(
      "must be pods or replicasets or",
    );
    for (const data of [pem.replace(/^/gm, "  "), pem.replaceAll("\n", " "), ` ${pem}`]) {
      expect(problemsOf(withAuthority({ key: { data } }))).toMatch(/on a line of its own/);
    }
    for (const data of [pem.replaceAll("\n", "\r\n"), pem.replace("\nM", "\n  M"), `# a\n${pem}`]) {
      expect(problemsOf(withAuthority({ key: { data } }))).toBe("");
    }
  });

  test.each([
    ["nothing", ""],
    ["white space and comments", "\n# a\n---\n# b\n"],
    ["only a Secret", "{apiVersion: v1, kind: Secret, metadata: {namespace: cosign-system}}"],
  ])("must contain a policy: %s is not enough", (_, text) => {
    expect(placesOf(text)).toEqual(["0 "]);
    expect(problemsOf(text)).toMatch(/must contain a ClusterImagePolicy/);
  });

  test.each([
    ["another version", { apiVersion: "policy.sigstore.dev/v1" }, /must be a ClusterImagePolicy/],
    ["another kind", { kind: "TrustRoot" }, /must be a ClusterImagePolicy.*TrustRoot/],
    ["no kind", { kind: undefined }, /kind none/],
    ["another group", { apiVersion: "v1beta1" }, /must be a ClusterImagePolicy/],
  ])("must be of a known type, not %s", (_, more, problem) => {
    expect(problemsOf(policyText({}, more))).toMatch(problem);
  });

  test("accepts only Secrets in the policies' namespace, and checks their fields", () => {
    const secret = (fields: string) =>
      `{apiVersion: v1, kind: Secret, ${fields}}\n---\n${policyText()}`;
    expect(placesOf(secret("metadata: {namespace: default}"))).toEqual(["1 metadata.namespace"]);
    expect(placesOf(secret("metadata: {namespace: cosign-system}, date: {}"))).toEqual(["1 date"]);
  });

  test.each([
    ["the document", policyText({}, { extra: 1 }), "extra"],
    ["metadata", policyText({}, { metadata: { name: "a", extra: 1 } }), "metadata.extra"],
    ["spec", policyText({ extra: 1 }), "spec.extra"],
    ["an image", policyText({ images: [{ glob: "*", regex: ".*" }] }), "spec.images[0].regex"],
    ["match", policyText({ match: [{ kind: "Pod" }] }), "spec.match[0].kind"],
    ["an authority", withAuthority({ static: { action: "pass" }, kee: 1 }), at("kee")],
    ["static", withAuthority({ static: { action: "pass", extra: 1 } }), at("static.extra")],
    ["key", withAuthority({ key: { data: pem, extra: 1 } }), at("key.extra")],
    ["keyless", withAuthority({ keyless: { ...keyless, extra: 1 } }), at("keyless.extra")],
    [
      "an identity",
      withAuthority({ keyless: { ...keyless, identities: [{ ...identity, subjectRegex: "a" }] } }),
      at("keyless.identities[0].subjectRegex"),
    ],
    ["ctlog", withAuthority({ keyless, ctlog: { url: "https://a", extra: 1 } }), at("ctlog.extra")],
    ["source", withAuthority({ keyless, source: [{ oci: "a/b", x: 1 }] }), at("source[0].x")],
    [
      "an attestation",
      withAuthority({ keyless, attestations: [{ name: "a", predicateType: "vuln", x: 1 }] }),
      at("attestations[0].x"),
    ],
    [
      "rfc3161timestamp",
      withAuthority({ keyless, rfc3161timestamp: { x: 1 } }),
      at("rfc3161timestamp.x"),
    ],
  ])("refuses an unknown field in %s, and lists the known ones", (_, text, path) => {
    expect(placesOf(text)).toEqual([`1 ${path}`]);
    expect(problemsOf(text)).toMatch(/is not a known field here \(known: .+\)/);
  });

  test.each([
    ["a missing name", policyText({}, { metadata: {} }), "metadata.name"],
    ["no metadata", policyText({}, { metadata: undefined }), "metadata.name"],
    ["a name that is a number", policyText({}, { metadata: { name: 1 } }), "metadata.name"],
    ["no spec", policyText({}, { spec: undefined }), "spec"],
    ["a spec that is a list", policyText({}, { spec: [] }), "spec"],
    ["missing images", policyText({ images: undefined }), "spec.images"],
    ["images that are not a list", policyText({ images: "*" }), "spec.images"],
    ["a missing glob", policyText({ images: [{}] }), "spec.images[0].glob"],
    ["an empty glob", policyText({ images: [{ glob: "" }] }), "spec.images[0].glob"],
    ["missing authorities", policyText({ authorities: undefined }), "spec.authorities"],
    ["an authority that is a text", policyText({ authorities: ["a"] }), "spec.authorities[0]"],
    ["a mode without value", policyText({ mode: null }), "spec.mode"],
    ["a policy without a language", policyText({ policy: { data: "a: 1" } }), "spec.policy.type"],
    [
      "a policy that reads a configuration perhaps",
      policyText({ policy: { type: "cue", data: "a: 1", fetchConfigFile: "yes" } }),
      "spec.policy.fetchConfigFile",
    ],
    [
      "a policy that reads a resource of a cluster",
      policyText({ policy: { type: "cue", data: "a: 1", includeSpec: true } }),
      "spec.policy.includeSpec",
    ],
    [
      "an unclear choice about missing fields",
      policyText({}, { metadata: annotated("yes") }),
      "metadata.annotations.trivet.local/missing-fields",
    ],
    [
      "an unknown annotation of ours",
      policyText({}, { metadata: { name: "a", annotations: { "trivet.local/missing": "a" } } }),
      "metadata.annotations.trivet.local/missing",
    ],
  ])("refuses %s", (_, text, path) => {
    expect(placesOf(text)).toContain(`1 ${path}`);
  });

  test("warns about what the shortest patterns mean", () => {
    const parsed = parsePolicies(policyText({ images: [{ glob: "*" }] }));
    expect(parsed).toMatchObject({
      warnings: [expect.stringMatching(/^document 1, spec\.images\[0\]\.glob: .*Docker Hub only/)],
    });
  });

  test("reports problems as sentences", () => {
    const problem: PolicyProblem = { document: 2, path: "spec.mode", problem: "must be a text" };
    expect(formatProblem(problem)).toBe("document 2, spec.mode: must be a text");
    expect(formatProblem({ ...problem, path: "" })).toBe("document 2: must be a text");
    expect(formatProblem({ ...problem, line: 7 })).toBe(
      "document 2, line 7, spec.mode: must be a text",
    );
    expect(formatProblem({ document: 0, path: "", problem: "is empty" })).toBe(
      "the policy is empty",
    );
  });
});

describe("a problem", () => {
  const text = [
    "apiVersion: policy.sigstore.dev/v1beta1",
    "kind: ClusterImagePolicy",
    "metadata:",
    "  name: a",
    "spec:",
    "  imagse: []",
    "  images:",
    "  - glob: '**'",
    "  authorities:",
    "  - keyless:",
    "      url: https://ca.example",
    "      identities:",
    "      - issuer: https://issuer.example",
  ].join("\n");

  test("names its line, and what was probably meant", () => {
    expect(policyProblems(`# first\n---\n${text}`)).toEqual([
      expect.stringMatching(/^document 1, line 8, spec\.imagse: .*; did you mean "images"\?$/),
      expect.stringMatching(
        /^document 1, line 15, spec\.authorities\[0\]\.keyless\.identities\[0\]: /,
      ),
    ]);
  });

  test("of syntax names its line too", () => {
    expect(policyProblems(`${text}\n---\na: [`)).toContainEqual(
      expect.stringMatching(/^document 2, line 15: is not YAML/),
    );
    expect(policyProblems(`${text}\n\u2028`)).toEqual([
      expect.stringMatching(/^the policy, line 14: must not contain/),
    ]);
  });

  test.each(["policy.yaml", "./policies/release.yml", "/etc/policy.json\n"])(
    "is a path instead of a policy: %j",
    (path) => {
      expect(policyProblems(path)).toEqual([expect.stringMatching(/is the path of a file/)]);
    },
  );

  test("is listed only if it is among the first", () => {
    const fields = Array.from({ length: 19_000 }, (_, at) => `f${at}: 1`).join(", ");
    const problems = policyProblems(`${text}\n---\n{kind: Secret, apiVersion: v1, ${fields}}`);
    expect(problems).toHaveLength(51);
    expect(problems[50]).toMatch(/only the first 50/);
  });
});

describe("any string", () => {
  const marks = [
    "-",
    ":",
    "?",
    "[",
    "]",
    "{",
    "}",
    "&a",
    "*a",
    "!!str",
    "|",
    ">",
    "#",
    "'",
    '"',
    "%",
    "\t",
  ];
  const piece = fc.oneof(
    fc.constantFrom(...marks, "---", "...", "<<", "kind", "a", "1", "null", "\u0000", "\r"),
    fc.constantFrom(" ", "\n", "\n  "),
    fc.string({ unit: "binary", maxLength: 3 }),
  );

  test("is parsed to policies or problems, and never throws", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(placesOf(pieces.join(""))).not.toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test("that differs from a policy in one place is parsed the same way", () => {
    const text = withAuthority({ name: "a", key: { data: pem } }, { keyless });
    const at = fc.nat(text.length - 1);
    fc.assert(
      fc.property(at, piece, (index, changed) => {
        expect(() =>
          placesOf(text.slice(0, index) + changed + text.slice(index + 1)),
        ).not.toThrow();
      }),
      { numRuns: 150 },
    );
  });
});

describe("an authority", () => {
  test("is named by its position if it has no name", () => {
    const [policy] = policiesOf(
      withAuthority({ static: { action: "pass" } }, { name: "b", static: { action: "fail" } }),
    );
    expect(policy?.authorities.map(({ name }) => name)).toEqual(["authority-0", "b"]);
  });

  test.each([
    ["nothing", {}],
    ["key and keyless", { key: { data: pem }, keyless }],
    ["key and static", { key: { data: pem }, static: { action: "pass" } }],
    ["keyless and static", { keyless, static: { action: "pass" } }],
  ])("is refused with %s", (_, authority) => {
    expect(placesOf(withAuthority(authority))).toEqual(["1 spec.authorities[0]"]);
  });

  test.each([
    ["attestations", [{ name: "a", predicateType: "vuln" }]],
    ["source", [{ oci: "registry.example/a" }]],
    ["ctlog", { url: "https://log.example" }],
    ["rfc3161timestamp", {}],
    ["signatureFormat", "bundle"],
  ])("that is static must not have %s", (name, value) => {
    const text = withAuthority({ static: { action: "pass" }, [name]: value });
    expect(placesOf(text)).toEqual([`1 ${at(name)}`]);
  });

  test.each([{}, { action: "maybe" }, { action: true }, { action: null }])(
    "that is static must be pass or fail, not %j",
    (action) => {
      expect(placesOf(withAuthority({ static: action }))).toEqual([`1 ${at("static.action")}`]);
    },
  );

  test.each([
    ["ctlog without a value", { ctlog: null }, "ctlog"],
    ["a ctlog without an address", { ctlog: {} }, "ctlog.url"],
    ["a ctlog with an invalid URL", { ctlog: { url: "log" } }, "ctlog.url"],
    ["a ctlog of another scheme", { ctlog: { url: "ftp://a" } }, "ctlog.url"],
    ["a ctlog with a user", { ctlog: { url: "https://a:b@c" } }, "ctlog.url"],
    ["a ctlog of a TrustRoot", { ctlog: { trustRootRef: "a" } }, "ctlog.trustRootRef"],
    [
      "a timestamp of a TrustRoot",
      { rfc3161timestamp: { trustRootRef: "a" } },
      "rfc3161timestamp.trustRootRef",
    ],
    ["an unknown format", { signatureFormat: "new" }, "signatureFormat"],
    ["two sources", { source: [{ oci: "a.b/a" }, { oci: "a.b/b" }] }, "source"],
    ["a source with a tag", { source: [{ oci: "a.b/a:b" }] }, "source[0].oci"],
    [
      "secrets of a source",
      { source: [{ oci: "a.b/a", signaturePullSecrets: [{ name: "a" }] }] },
      "source[0].signaturePullSecrets",
    ],
    ["a strange prefix", { source: [{ oci: "a.b/a", tagPrefix: "a/b" }] }, "source[0].tagPrefix"],
    [
      "a prefix with bundles",
      { signatureFormat: "bundle", source: [{ oci: "a.b/a", tagPrefix: "a" }] },
      "source[0].tagPrefix",
    ],
    ["an empty list of attestations", { attestations: [] }, "attestations"],
    [
      "an attestation without name",
      { attestations: [{ predicateType: "vuln" }] },
      "attestations[0].name",
    ],
    [
      "an attestation without type",
      { attestations: [{ name: "a" }] },
      "attestations[0].predicateType",
    ],
  ])("refuses %s", (_, more, path) => {
    expect(placesOf(withAuthority({ keyless, ...more }))).toEqual([`1 ${at(path)}`]);
  });

  test.each([
    ["without a language", { data: "a: 1" }, "type"],
    ["in another language", { type: "js", data: "a" }, "type"],
    ["without a text", { type: "cue" }, "data"],
    ["in Rego of another package", { type: "rego", data: "package a\nb = 1" }, "data"],
    ["of another server", { type: "cue", remote: { url: "https://a" } }, "remote"],
    ["of a ConfigMap", { type: "cue", configMapRef: { name: "a" } }, "configMapRef"],
    ["that reads a cluster", { type: "cue", data: "a: 1", includeSpec: true }, "includeSpec"],
  ])("refuses a policy for attestations %s", (_, policy, field) => {
    const attestations = [{ name: "a", predicateType: "vuln", policy }];
    expect(placesOf(withAuthority({ keyless, attestations }))).toEqual([
      `1 ${at(`attestations[0].policy.${field}`)}`,
    ]);
  });

  test("may want attestations to satisfy a policy in CUE or Rego", () => {
    const cue = { type: "cue", data: "predicate: a: 1" };
    const rego = { type: "rego", data: "# of the team\npackage sigstore\nisCompliant { true }" };
    const attestations = [cue, rego].map((policy) => ({
      name: policy.type,
      predicateType: "vuln",
      policy,
    }));
    expect(signingAuthorityOf(withAuthority({ keyless, attestations })).attestations).toMatchObject(
      [
        { name: "cue", program: cue },
        { name: "rego", program: rego },
      ],
    );
  });

  test("may read another repository", () => {
    for (const [given, expected] of [
      [{ tagPrefix: "v1-" }, { tagPrefix: "v1-" }],
      [{}, {}],
    ]) {
      const own = signingAuthorityOf(withAuthority({ keyless, source: [given] })).source;
      expect(own).toEqual(expected);
    }
    const source = [{ oci: "registry.example/signatures", tagPrefix: "v1-" }];
    expect(signingAuthorityOf(withAuthority({ keyless, source })).source).toEqual({
      repository: { registry: "registry.example", path: "signatures" },
      tagPrefix: "v1-",
    });
  });

  test("needs the log for identities always, for keys only with a ctlog", () => {
    const ctlog = { url: "https://log.example/" };
    const logOf = (authority: object) => signingAuthorityOf(withAuthority(authority)).log;
    expect(logOf({ keyless })).toEqual({ isNeeded: true, url: undefined });
    expect(logOf({ keyless, ctlog })).toEqual({ isNeeded: true, url: new URL(ctlog.url) });
    expect(logOf({ key: { data: pem } })).toEqual({ isNeeded: false, url: undefined });
    expect(logOf({ key: { data: pem }, ctlog })).toMatchObject({ isNeeded: true });
  });

  test("uses legacy signatures unless it names bundles, also for keys", () => {
    const formatOf = (more: object) =>
      signingAuthorityOf(withAuthority({ key: { data: pem }, ...more })).format;
    expect(formatOf({})).toBe("legacy");
    expect(formatOf({ signatureFormat: "legacy" })).toBe("legacy");
    expect(formatOf({ signatureFormat: "bundle" })).toBe("bundle");
  });

  test.each([
    ["slsaprovenance", "https://slsa.dev/provenance/v0.2"],
    ["spdxjson", "https://spdx.dev/Document"],
    ["custom", "https://cosign.sigstore.dev/attestation/v1"],
    ["slsaprovenance", "https://slsa.dev/provenance/v0.2"],
    ["slsaprovenance02", "https://slsa.dev/provenance/v0.2"],
    ["slsaprovenance1", "https://slsa.dev/provenance/v1"],
    ["openvex", "https://openvex.dev/ns"],
    ["https://example.com/type", "https://example.com/type"],
  ])("requires attestations of the type %s as %s", (predicateType, expected) => {
    const text = withAuthority({ keyless, attestations: [{ name: "a", predicateType }] });
    expect(signingAuthorityOf(text).attestations).toEqual([
      { name: "a", predicateType: expected, writtenType: predicateType },
    ]);
    expect(parsePolicies(text)).toMatchObject({ warnings: [] });
  });

  test("accepts a type that is not a URI unchanged, with a warning", () => {
    const attestations = [{ name: "a", predicateType: "mine" }];
    const text = withAuthority({ keyless, attestations });
    expect(signingAuthorityOf(text).attestations[0]?.predicateType).toBe("mine");
    expect(parsePolicies(text)).toMatchObject({
      warnings: [expect.stringMatching(/predicateType: "mine" is neither a URI/)],
    });
  });
});

describe("a policy in CUE", () => {
  const policy = { type: "cue", data: "a: 1" };
  const attestations = [{ name: "a", predicateType: "vuln", policy }];

  test.each([
    ["refuses an input that lacks what it sets, by default", { name: "a" }, {}],
    ["the same, if an annotation says so", annotated("refused"), { missing: "refused" }],
    ["accepts it, if an annotation says so", annotated("allowed"), { missing: "allowed" }],
    ["and ignores other annotations", { name: "a", annotations: { "a.example/b": 1 } }, {}],
  ])("%s", (_, metadata, expected) => {
    const spec = { policy, authorities: [{ keyless, attestations }] };
    const text = policyText(spec, { metadata });
    expect(policiesOf(text)[0]?.program).toEqual({ ...policy, ...expected });
    expect(signingAuthorityOf(text).attestations[0]?.program).toEqual({ ...policy, ...expected });
  });
});

test("a policy in Rego has no choice about missing fields", () => {
  const policy = { type: "rego", data: "package sigstore\nisCompliant { true }" };
  const text = policyText({ policy }, { metadata: annotated("allowed") });
  expect(policiesOf(text)[0]?.program).toEqual(policy);
});

describe("authorities with the same name", () => {
  const one = { name: "release", static: { action: "pass" } };
  const program = { type: "cue", data: "authorityMatches: release: static: true" };

  test("are refused if a policy over their results could see only one of them", () => {
    const text = policyText({ authorities: [one, one], policy: program });
    expect(placesOf(text)).toEqual(["1 spec.authorities"]);
    expect(problemsOf(text)).toContain('has several authorities with the name "release"');
    const byDefault = policyText({
      authorities: [{ ...one, name: "authority-1" }, { static: one.static }],
      policy: program,
    });
    expect(placesOf(byDefault)).toEqual(["1 spec.authorities"]);
  });

  test("are accepted without one", () => {
    expect(policiesOf(policyText({ authorities: [one, one] }))[0]?.authorities).toHaveLength(2);
  });
});

describe("an authority with a key", () => {
  test.each(["sha224", "sha256", "sha384", "sha512"])("may use %s", (hashAlgorithm) => {
    const text = withAuthority({ key: { data: pem, hashAlgorithm } });
    expect(signingAuthorityOf(text).signer).toMatchObject({
      kind: "key",
      key: { hash: hashAlgorithm },
      keyId: expect.stringMatching(/^[\da-f]{64}$/) as unknown,
    });
  });

  test.each([
    ["no key", {}, "key.data"],
    ["an empty key", { data: "" }, "key.data"],
    ["something else than PEM", { data: "garbage" }, "key.data"],
    ["broken PEM", { data: pem.replace(/M/, "!") }, "key.data"],
    ["two keys", { data: pem + newKey().pem }, "key.data"],
    ["a path instead of a key service", { kms: "cosign.pub" }, "key.kms"],
    ["the key of a cluster's Secret as a key service", { kms: "k8s://ns/a" }, "key.kms"],
    ["an unclear URI", { kms: "awskms:///../a" }, "key.kms"],
    ["an empty URI", { kms: "" }, "key.kms"],
    ["a key service and a key", { kms: "awskms:///alias/a", data: pem }, "key.data"],
    ["a key service and a Secret", { kms: "awskms:///alias/a", secretRef: {} }, "key.secretRef"],
    ["a Secret", { secretRef: { name: "a" } }, "key.secretRef"],
    ["a key and a Secret", { data: pem, secretRef: { name: "a" } }, "key.secretRef"],
    ["a key that is an object", { data: {} }, "key.data"],
  ])("is refused with %s", (_, key, path) => {
    expect(placesOf(withAuthority({ key }))).toEqual([`1 ${at(path)}`]);
  });

  test.each([
    "awskms:///alias/releases",
    "gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k/versions/1",
    "azurekms://vault.vault.azure.net/releases",
    "hashivault://releases",
  ])("may name the service that has it: %s", (kms) => {
    const { signer, log } = signingAuthorityOf(withAuthority({ key: { kms } }));
    expect(signer).toEqual({ kind: "kms", uri: kms });
    expect(log.isNeeded).toBe(false);
    const hashed = withAuthority({ key: { kms, hashAlgorithm: "sha384" } });
    expect(signingAuthorityOf(hashed).signer).toMatchObject({ kind: "kms", hash: "sha384" });
  });

  test("is refused with a private key, which the message does not quote", () => {
    const data = newKey().privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const problems = problemsOf(withAuthority({ key: { data } }));
    expect(problems).toMatch(/private key/);
    for (const line of data.split("\n").filter((text) => /^[\w+/]{20}/.test(text))) {
      expect(problems).not.toContain(line.slice(0, 20));
    }
  });

  test("is refused with a short RSA key", () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const data = publicKey.export({ type: "spki", format: "pem" }).toString();
    expect(problemsOf(withAuthority({ key: { data } }))).toMatch(/2048/);
  });
});

describe("an authority without a key", () => {
  const identities = (...list: readonly object[]) =>
    withAuthority({ keyless: { ...keyless, identities: list } });

  test("names issuers and subjects, exactly or by expressions", () => {
    const [exact, pattern] = [identity, { issuerRegExp: "^https://", subjectRegExp: "@example" }];
    expect(signingAuthorityOf(identities(exact, pattern)).signer).toMatchObject({
      certificateLog: "required",
      identities: [
        { issuer: { equals: identity.issuer }, subject: { equals: identity.subject } },
        {
          issuer: { contains: { source: "^https://" } },
          subject: { contains: { source: "@example" } },
        },
      ],
    });
  });

  test("may waive the certificate transparency log", () => {
    const text = withAuthority({ keyless: { ...keyless, insecureIgnoreSCT: true } });
    expect(signingAuthorityOf(text).signer).toMatchObject({ certificateLog: "ignored" });
  });

  const first = "keyless.identities[0]";
  test.each([
    ["no identity", [], "keyless.identities"],
    ["an empty identity", [{}], first],
    ["only a subject", [{ subject: "a" }], first],
    ["only an issuer", [{ issuer: "a" }], first],
    ["a subject in two ways", [{ ...identity, subjectRegExp: "a" }], first],
    ["an issuer in two ways", [{ ...identity, issuerRegExp: "a" }], first],
    ["an empty subject", [{ ...identity, subject: "" }], `${first}.subject`],
    ["an empty expression", [{ issuer: "a", subjectRegExp: "" }], `${first}.subjectRegExp`],
    ["a broken expression", [{ issuer: "a", subjectRegExp: "(" }], `${first}.subjectRegExp`],
    ["what RE2 does not know", [{ issuer: "a", subjectRegExp: "(?=a)" }], `${first}.subjectRegExp`],
    ["a number", [{ ...identity, subject: 1 }], `${first}.subject`],
  ])("is refused with %s", (_, list, path) => {
    expect(placesOf(identities(...list))).toContain(`1 ${at(path)}`);
  });

  test.each([
    ["nothing", {}, "https://fulcio.sigstore.dev/"],
    ["an address", { url: "https://ca.example" }, "https://ca.example/"],
  ])("is of the public authority unless it names one: %s", (_, more, href) => {
    const authority = signingAuthorityOf(
      withAuthority({ keyless: { identities: [identity], ...more } }),
    );
    expect(authority.signer).toMatchObject({ certificateAuthorityUrl: { href } });
  });

  test("may be of certificate authorities in the policy: of the roots, or of all if there is no root", () => {
    const { root, issuing } = new Authorities();
    const areRoots = (...certificates: readonly Buffer[]) => {
      const data = certificates.map((der) => toPem("CERTIFICATE", der)).join("\n");
      const text = withAuthority({ keyless: { identities: [identity], "ca-cert": { data } } });
      const { signer } = signingAuthorityOf(text);
      const authority = signer.kind === "identity" ? signer.certificateAuthority : undefined;
      return authority?.anchors.map(({ isSelfIssued }) => isSelfIssued);
    };
    expect(areRoots(issuing, root)).toEqual([true]);
    expect(areRoots(issuing)).toEqual([false]);
  });

  test("must not be of an authority in two ways, or with a hash", () => {
    const data = toPem("CERTIFICATE", new Authorities().root);
    const placesWith = (more: object) =>
      placesOf(withAuthority({ keyless: { identities: [identity], ...more } }));
    expect(placesWith({ url: "https://ca.example", "ca-cert": { data } })).toEqual([
      "1 spec.authorities[0].keyless",
    ]);
    expect(placesWith({ "ca-cert": { data, hashAlgorithm: "sha256" } })).toEqual([
      `1 ${at("keyless.ca-cert.hashAlgorithm")}`,
    ]);
  });

  test.each([
    ["an invalid URL", { url: "ca" }, "keyless.url"],
    ["an unknown TrustRoot", { trustRootRef: "mine" }, "keyless.trustRootRef"],
    ["a word for true", { insecureIgnoreSCT: "yes" }, "keyless.insecureIgnoreSCT"],
    [
      "a certificate that is a key",
      { url: undefined, "ca-cert": { data: pem } },
      "keyless.ca-cert.data",
    ],
    [
      "a certificate that is not PEM",
      { url: undefined, "ca-cert": { data: "garbage" } },
      "keyless.ca-cert.data",
    ],
    [
      "a certificate that is broken",
      { url: undefined, "ca-cert": { data: toPem("CERTIFICATE", Buffer.from("garbage")) } },
      "keyless.ca-cert.data",
    ],
    [
      "a certificate in a Secret",
      { url: undefined, "ca-cert": { secretRef: {} } },
      "keyless.ca-cert.secretRef",
    ],
    [
      "a certificate in a key service",
      { url: undefined, "ca-cert": { kms: "awskms:///alias/a" } },
      "keyless.ca-cert.kms",
    ],
  ])("is refused with %s", (_, more, path) => {
    expect(placesOf(withAuthority({ keyless: { ...keyless, ...more } }))).toEqual([
      `1 ${at(path)}`,
    ]);
  });
});

function at(path: string): string {
  return `spec.authorities[0].${path}`;
}
