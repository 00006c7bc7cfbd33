import { sign } from "node:crypto";
import {
  derContext,
  derContextPrimitive,
  derObjectIdentifier,
  derOctetString,
  derSequence,
  derUtf8String,
} from "../../../../../src/core/signing/sigstore/der/write-der";
import type { LogEntry } from "../../../../../src/core/signing/sigstore/format/log-entry";
import {
  annotation,
  signatureLayer,
  simpleSigningPayload,
} from "../../../../../src/core/signing/sigstore/format/manifest";
import { storedHashedRekord } from "../format/stored-entries";
import { writeBundle } from "../../../../../src/core/signing/sigstore/format/bundle";
import type { TextRule } from "../../../../../src/core/signing/sigstore/verification/verification";
import { Certificate } from "../../../../../src/core/signing/sigstore/certificate/certificate";
import { readPublicKey } from "../../../../../src/core/signing/sigstore/certificate/public-key";
import {
  authorityExtension,
  alternativeNameExtension,
  issuerExtensions,
  keyUsageExtension,
  purposeExtension,
  sctExtension,
  uint16,
  writeExtension,
} from "../../../../../src/local/signing/certificate/write-certificate";
import { SigningKey } from "../../../../../src/local/signing/keys/signing-key";
import {
  attestation,
  bundle,
  bundleParts,
  image,
  predicateType,
  repository,
  rulesOf,
  signature,
  verifyAttestationLayer,
  verifySignatureLayer,
} from "./artefacts";
import { Authorities, email, issuer, keyPair, signedAt, type LeafProps } from "./authorities";
import { sha256Hex } from "../../../../../src/core/signing/oci/reference/descriptor";
import {
  inTotoPayloadType,
  legacyStatement,
  preAuthEncoding,
  readEnvelope,
  signStatement,
} from "../../../../../src/core/signing/sigstore/format/statement";
import { verifyBundle } from "../../../../../src/core/signing/sigstore/verification/verify-attached";

const world = new Authorities();
const rules = rulesOf(world);
const other = `sha256:${"cd".repeat(32)}` as const;
const later = (minutes: number): Date => new Date(signedAt.getTime() + minutes * 60_000);
const signer = { kind: "identity", subject: email, issuer, otherSubjects: [] };

describe("valid content is verified", () => {
  test("a legacy signature, with signer, time, log entry and content", () => {
    const layer = signature(world);
    const result = verifySignatureLayer(layer, image, rules);
    expect(result).toEqual({
      signer,
      at: signedAt,
      provenBy: "log",
      certificate: expect.any(Certificate) as unknown,
      signature: Buffer.from(layer.annotations[annotation.signature] ?? "", "base64"),
      dockerReference: repository,
      log: {
        logId: world.logKey.id.toString("hex"),
        logIndex: 1005,
        url: "https://log.example.com",
      },
    });
  });

  test.each(["intoto", "dsse"] as const)("a legacy attestation logged as %s", (kind) => {
    const layer = attestation(world, kind);
    const { payload } = readEnvelope(layer.blob);
    expect(verifyAttestationLayer(layer, image, rules)).toMatchObject({
      signer,
      at: signedAt,
      statement: { predicateType, predicate: { checked: true } },
      statementSha256: sha256Hex(payload),
    });
  });

  test.each(["signature", "attestation"] as const)("a bundle with a %s", (purpose) => {
    const made = bundleParts(world, purpose);
    const { signature } = made.envelope;
    expect(verifyBundle(writeBundle(made), image, purpose, rules)).toMatchObject({
      signer,
      at: signedAt,
      signature,
    });
  });

  test("without its chain, and with a chain if only the root is trusted", () => {
    const layer = signature(world);
    const { [annotation.chain]: chain = "", ...annotations } = layer.annotations;
    expect(chain).toContain("CERTIFICATE");
    expect(verifySignatureLayer({ ...layer, annotations }, image, rules)).toMatchObject({ signer });
    // As some tools write it.
    const empty = { ...annotations, [annotation.chain]: "" };
    expect(verifySignatureLayer({ ...layer, annotations: empty }, image, rules)).toMatchObject({
      signer,
    });
    const authorities = rules.trust.certificateAuthorities.map((each) => ({
      ...each,
      intermediates: [],
    }));
    const rootOnly = { ...rules, trust: { ...rules.trust, certificateAuthorities: authorities } };
    expect(verifySignatureLayer(layer, image, rootOnly)).toMatchObject({ signer });
    expect(verifySignatureLayer({ ...layer, annotations }, image, rootOnly)).toMatchObject({
      code: "CERTIFICATE",
    });
  });

  test("by a timestamp instead of the log, or in addition to it", () => {
    const stamped = { ...rules, trust: world.trust() };
    const layer = signature(world, { stampedAt: later(1), entry: () => undefined });
    expect(verifySignatureLayer(layer, image, { ...stamped, time: "timestamp" })).toMatchObject({
      signer,
      at: later(1),
    });
    const both = bundle(world, "signature", { stampedAt: later(1) });
    const result = verifyBundle(both, image, "signature", {
      ...stamped,
      time: "log-and-timestamp",
    });
    expect(result).toMatchObject({ signer, at: signedAt });
  });
});

describe("who may sign", () => {
  const matching = (source: string): TextRule => ({
    contains: { source, isFoundIn: (text) => new RegExp(source).test(text) },
  });
  const as = (subject: string, from: string) =>
    verifySignatureLayer(signature(world), image, {
      ...rules,
      signer: {
        identities: [
          {
            subject: matching(subject),
            issuer: matching(from),
          },
        ],
      },
    });

  test("both patterns must match", () => {
    expect(as("example", "accounts")).toMatchObject({ signer });
    expect(as("^dev@example\\.com$", "^https://accounts\\.example\\.com$")).toMatchObject({
      signer,
    });
    expect(as("^example", ".*")).toMatchObject({ code: "IDENTITY" });
    expect(as(".*", "evil")).toMatchObject({ code: "IDENTITY" });
  });

  test("strings are compared exactly", () => {
    const identities = [{ subject: { equals: "ev@example.co" }, issuer: { equals: issuer } }];
    const result = verifySignatureLayer(signature(world), image, {
      ...rules,
      signer: { identities },
    });
    expect(result).toEqual({
      code: "IDENTITY",
      problem:
        'signed by "dev@example.com" from "https://accounts.example.com", ' +
        'expected "ev@example.co" from "https://accounts.example.com"',
    });
    expect(
      verifySignatureLayer(signature(world), image, { ...rules, signer: { identities: [] } }),
    ).toMatchObject({ code: "IDENTITY" });
  });

  const by = (props: LeafProps) =>
    verifySignatureLayer(signature(world, { signer: world.signer(props) }), image, rules);
  const names = (...texts: readonly string[]) => [
    writeExtension(
      "2.5.29.17",
      derSequence(...texts.map((text) => derContextPrimitive(1, Buffer.from(text)))),
      true,
    ),
  ];

  test("if there are several names, each must match", () => {
    expect(by({ names: names(email, "mallory@example.com") })).toMatchObject({ code: "IDENTITY" });
    expect(by({ names: names("mallory@example.com", email) })).toMatchObject({ code: "IDENTITY" });
    expect(by({ names: names(email, email) })).toMatchObject({
      signer: { subject: email, otherSubjects: [email] },
    });
  });

  test("email addresses, URIs, DNS names and user names are compared alike", () => {
    expect(by({ names: [alternativeNameExtension("uri", email)] })).toMatchObject({ signer });
    const dns = writeExtension(
      "2.5.29.17",
      derSequence(new Uint8Array([0x82, email.length, ...Buffer.from(email)])),
      true,
    );
    expect(by({ names: [dns] })).toMatchObject({ signer });
    const user = derContext(
      0,
      derObjectIdentifier("1.3.6.1.4.1.57264.1.7"),
      derContext(0, derUtf8String(email)),
    );
    const san = writeExtension("2.5.29.17", derSequence(user), true);
    expect(by({ names: [san] })).toMatchObject({ signer });
  });

  test("the issuer is read from the newer extension before the older one", () => {
    const [older, newer] = issuerExtensions(issuer);
    const [wrongOlder, wrongNewer] = issuerExtensions("https://evil.example.com");
    if (!older || !newer || !wrongOlder || !wrongNewer) throw new Error("no extensions");
    expect(by({ issuerExtensions: [wrongOlder, newer] })).toMatchObject({ signer });
    expect(by({ issuerExtensions: [older, wrongNewer] })).toMatchObject({ code: "IDENTITY" });
    expect(by({ issuerExtensions: [older] })).toMatchObject({ signer });
    expect(by({ issuerExtensions: [] })).toMatchObject({ code: "IDENTITY" });
  });
});

describe("certificates", () => {
  const usage = [keyUsageExtension("digitalSignature"), purposeExtension("codeSigning")];
  test.each<[string, LeafProps, string]>([
    ["without the purpose of signing code", { usage: usage.slice(0, 1) }, "CERTIFICATE"],
    ["without digital signatures", { usage: usage.slice(1) }, "CERTIFICATE"],
    [
      "for timestamps",
      { usage: [keyUsageExtension("digitalSignature"), purposeExtension("timeStamping")] },
      "CERTIFICATE",
    ],
    ["of an authority", { usage: [...usage, authorityExtension(0)] }, "CERTIFICATE"],
    [
      "with an unknown critical extension",
      { more: [writeExtension("1.2.3.4", Buffer.of(5, 0), true)] },
      "CERTIFICATE",
    ],
    ["without a promise of a log", { withoutSct: true }, "CERTIFICATE_LOG"],
    ["with a promise of another log", { sctKey: SigningKey.generate() }, "CERTIFICATE_LOG"],
    [
      "with a promise of another log beside that of a trusted one",
      { secondSctKey: SigningKey.generate() },
      "CERTIFICATE_LOG",
    ],
    [
      "with a promise of another version",
      { sctsWith: (sct) => sctExtension([Buffer.concat([Buffer.of(1), sct.subarray(1)])]) },
      "CERTIFICATE",
    ],
    [
      "with a byte after the promises",
      {
        sctsWith: (sct) => {
          const list = Buffer.concat([uint16(sct.byteLength), sct]);
          const bytes = Buffer.concat([uint16(list.byteLength), list, Buffer.of(0)]);
          return writeExtension("1.3.6.1.4.1.11129.2.4.2", derOctetString(bytes));
        },
      },
      "CERTIFICATE",
    ],
    ["that had not begun", { notBefore: later(1) }, "TIME"],
    ["that had expired", { notAfter: later(-1) }, "TIME"],
  ])("%s are refused", (_, props, code) => {
    const layer = signature(world, { signer: world.signer(props) });
    expect(verifySignatureLayer(layer, image, rules)).toMatchObject({ code });
  });

  test("need no log if none is required", () => {
    const layer = signature(world, { signer: world.signer({ withoutSct: true }) });
    const { identities } = rules.signer as Extract<typeof rules.signer, { identities: unknown }>;
    const lenient = { ...rules, signer: { identities, certificateLog: "ignored" as const } };
    expect(verifySignatureLayer(layer, image, lenient)).toMatchObject({ signer });
  });

  test("of any trusted authority are accepted", () => {
    const { trust } = rules;
    const certificateAuthorities = [
      ...new Authorities().trust().certificateAuthorities,
      ...trust.certificateAuthorities,
    ];
    const both = { ...rules, trust: { ...trust, certificateAuthorities } };
    expect(verifySignatureLayer(signature(world), image, both)).toMatchObject({ signer });
  });

  test("of another authority are refused, even with its chain", () => {
    const foreign = new Authorities();
    const layer = signature(foreign);
    const trust = {
      ...rules.trust,
      transparencyLogs: foreign.trust().transparencyLogs,
      certificateLogs: foreign.trust().certificateLogs,
    };
    expect(verifySignatureLayer(layer, image, { ...rules, trust })).toMatchObject({
      code: "CERTIFICATE",
    });
  });

  test("need a promise that their log made while it was trusted", () => {
    const by = (validity: { from?: Date; to?: Date }) => {
      const certificateLogs = rules.trust.certificateLogs.map((log) => ({ ...log, validity }));
      const trust = { ...rules.trust, certificateLogs };
      return verifySignatureLayer(signature(world), image, { ...rules, trust });
    };
    expect(by({ from: signedAt, to: signedAt })).toMatchObject({ signer });
    expect(by({ from: later(1) })).toMatchObject({ code: "CERTIFICATE_LOG" });
    expect(by({ to: later(-1) })).toMatchObject({ code: "CERTIFICATE_LOG" });
  });

  test("are not trusted outside their authority's validity", () => {
    const authorities = rules.trust.certificateAuthorities.map((each) => ({
      ...each,
      validity: { to: later(-1) },
    }));
    const trust = { ...rules.trust, certificateAuthorities: authorities };
    expect(verifySignatureLayer(signature(world), image, { ...rules, trust })).toMatchObject({
      code: "CERTIFICATE",
    });
  });
});

describe("time and log", () => {
  test("a signature must be logged while its certificate is valid", () => {
    for (const time of [later(-2), later(10)]) {
      expect(verifySignatureLayer(signature(world, { time }), image, rules)).toMatchObject({
        code: "TIME",
      });
    }
  });

  test("a signature that is not logged is refused", () => {
    const layer = signature(world, { entry: () => undefined });
    expect(verifySignatureLayer(layer, image, rules)).toMatchObject({ code: "TRANSPARENCY_LOG" });
    expect(verifySignatureLayer(layer, image, { ...rules, time: "none" })).toMatchObject({
      code: "TIME",
    });
    const noEntry = bundle(world, "signature", { entry: () => undefined });
    expect(verifyBundle(noEntry, image, "signature", rules)).toMatchObject({
      code: "TRANSPARENCY_LOG",
    });
  });

  test("an entry of another log, or of another time than the log's, is refused", () => {
    const key = SigningKey.generate();
    const foreign = signature(world, { entry: ({ body }) => world.log(body, signedAt, key) });
    expect(verifySignatureLayer(foreign, image, rules)).toMatchObject({ code: "TRANSPARENCY_LOG" });
    const logs = rules.trust.transparencyLogs.map((log) => ({
      ...log,
      validity: { to: later(-1) },
    }));
    const trust = { ...rules.trust, transparencyLogs: logs };
    expect(verifySignatureLayer(signature(world), image, { ...rules, trust })).toMatchObject({
      code: "TRANSPARENCY_LOG",
    });
  });

  test("a valid entry for other content is refused", () => {
    const body = storedHashedRekord(Buffer.from("x"), Buffer.of(1), world.signer().pem);
    const layer = signature(world, { entry: () => world.log(body) });
    expect(verifySignatureLayer(layer, image, rules)).toMatchObject({ code: "TRANSPARENCY_LOG" });
  });

  test("an entry that names another certificate with the same key is refused", () => {
    const mine = world.signer();
    const payload = simpleSigningPayload({ dockerReference: repository, digest: image });
    const layer = signature(world, {
      signer: mine,
      entry: () =>
        world.log(storedHashedRekord(payload, mine.key.sign(payload), world.signer().pem)),
    });
    expect(verifySignatureLayer(layer, image, rules)).toMatchObject({ code: "TRANSPARENCY_LOG" });
  });

  test("a timestamp replaces the log's promise in a bundle, but not its proof", () => {
    const trust = world.trust();
    const check = (changes: Partial<LogEntry>, stampedAt: Date | undefined, of = trust) => {
      const entry = (it: LogEntry) => ({ ...it, signedEntryTimestamp: undefined, ...changes });
      const bytes = bundle(world, "signature", { entry, stampedAt });
      return verifyBundle(bytes, image, "signature", { ...rules, trust: of });
    };
    // The index and the time without a promise are worth nothing.
    for (const changes of [{}, { integratedTime: 0 }, { logIndex: 7 }]) {
      const result = check(changes, later(1));
      expect(result).toMatchObject({ signer, at: later(1) });
      expect("log" in result && result.log?.logIndex).not.toBe(7);
    }
    const refused = { code: "TRANSPARENCY_LOG" };
    expect(check({}, undefined)).toMatchObject(refused);
    expect(check({ inclusionProof: undefined }, later(1))).toMatchObject(refused);
    expect(check({ logId: Buffer.alloc(32) }, later(1))).toMatchObject(refused);
    expect(check({}, later(1), { ...trust, timestampAuthorities: [] })).toMatchObject({
      code: "NO_TRUST",
    });
    const ended = trust.transparencyLogs.map((log) => ({ ...log, validity: { to: signedAt } }));
    expect(check({}, later(1), { ...trust, transparencyLogs: ended })).toMatchObject(refused);
    const [entry] = bundleParts(world, "signature").logEntries;
    expect(check({ inclusionProof: entry?.inclusionProof }, later(1))).toMatchObject(refused);
  });

  test("a certificate without an issuer is allowed by a pattern that the empty text matches", () => {
    const layer = signature(world, { signer: world.signer({ issuerExtensions: [] }) });
    const check = (source: string) => {
      const contains = { source, isFoundIn: (text: string) => new RegExp(source).test(text) };
      const identities = [{ subject: { equals: email }, issuer: { contains } }];
      return verifySignatureLayer(layer, image, { ...rules, signer: { identities } });
    };
    expect(check(".*")).toMatchObject({ signer: { issuer: "" } });
    expect(check(".+")).toMatchObject({
      problem: `signed by "${email}" from no issuer, expected "${email}" from /.+/`,
    });
    expect(verifySignatureLayer(layer, image, rules)).toMatchObject({ code: "IDENTITY" });
  });

  test("bundles need the log's promise as well as its proof", () => {
    for (const name of ["signedEntryTimestamp", "inclusionProof"] as const) {
      const bytes = bundle(world, "signature", { entry: (it) => ({ ...it, [name]: undefined }) });
      expect(verifyBundle(bytes, image, "signature", rules)).toMatchObject({
        code: "TRANSPARENCY_LOG",
      });
    }
  });

  test("a timestamp must be for this signature, by a trusted authority, at a valid time", () => {
    const trust = world.trust();
    const time = "timestamp" as const;
    const check = (props: Parameters<typeof bundleParts>[2], of = trust) =>
      verifyBundle(bundle(world, "signature", props), image, "signature", {
        ...rules,
        trust: of,
        time,
      });
    expect(check({ stampedAt: later(1) })).toMatchObject({ signer });
    expect(check({})).toMatchObject({ code: "TIMESTAMP" });
    expect(check({ stampedAt: later(60) })).toMatchObject({ code: "TIME" });
    expect(check({ stampedAt: later(1) }, rules.trust)).toMatchObject({ code: "NO_TRUST" });
    const foreign = new Authorities().trust().timestampAuthorities;
    expect(
      check({ stampedAt: later(1) }, { ...trust, timestampAuthorities: foreign }),
    ).toMatchObject({ code: "TIMESTAMP" });
    const parts = bundleParts(world, "signature", { stampedAt: later(1) });
    const moved = writeBundle({ ...parts, timestamps: [world.timestamp(Buffer.of(1))] });
    expect(verifyBundle(moved, image, "signature", { ...rules, trust, time })).toMatchObject({
      code: "TIMESTAMP",
    });
  });

  test("required services must be trusted", () => {
    const layer = signature(world);
    for (const kind of ["certificateAuthorities", "certificateLogs", "transparencyLogs"] as const) {
      const trust = { ...rules.trust, [kind]: [] };
      expect(verifySignatureLayer(layer, image, { ...rules, trust })).toMatchObject({
        code: "NO_TRUST",
      });
    }
  });
});

describe("claims", () => {
  test("about another image are refused", () => {
    expect(verifySignatureLayer(signature(world), other, rules)).toMatchObject({ code: "CLAIM" });
    expect(verifyAttestationLayer(attestation(world, "dsse"), other, rules)).toMatchObject({
      code: "CLAIM",
    });
    expect(verifyBundle(bundle(world, "signature"), other, "signature", rules)).toMatchObject({
      code: "CLAIM",
    });
  });

  test("of a type other than a signature's are refused", () => {
    const text = simpleSigningPayload({ dockerReference: repository, digest: image }).toString();
    const payload = Buffer.from(text.replace("cosign container image", "something else"));
    expect(verifySignatureLayer(signature(world, { payload }), image, rules)).toMatchObject({
      code: "FORMAT",
    });
  });

  test("about a digest with another algorithm are refused", () => {
    const text = legacyStatement({
      name: repository,
      digest: image,
      predicateType,
      predicate: {},
    }).toString();
    const payload = Buffer.from(text.replace('"sha256"', '"sha512"'));
    expect(
      verifyAttestationLayer(attestation(world, "dsse", { payload }), image, rules),
    ).toMatchObject({ code: "CLAIM" });
  });

  test("an attestation never counts as a signature, nor a signature as an attestation", () => {
    expect(verifyBundle(bundle(world, "attestation"), image, "signature", rules)).toMatchObject({
      code: "CLAIM",
    });
    expect(verifyBundle(bundle(world, "signature"), image, "attestation", rules)).toMatchObject({
      code: "CLAIM",
    });
    expect(verifySignatureLayer(attestation(world, "dsse"), image, rules)).toMatchObject({
      code: "FORMAT",
    });
    expect(verifyAttestationLayer(signature(world), image, rules)).toMatchObject({
      code: "FORMAT",
    });
    const payload = signStatement(image);
    expect(
      verifyAttestationLayer(attestation(world, "dsse", { payload }), image, rules),
    ).toMatchObject({ code: "CLAIM" });
  });

  test("an envelope with two signatures is refused", () => {
    const layer = attestation(world, "dsse");
    const envelope = JSON.parse(layer.blob.toString()) as { signatures: unknown[] };
    envelope.signatures.push(envelope.signatures[0]);
    const blob = Buffer.from(JSON.stringify(envelope));
    expect(verifyAttestationLayer({ ...layer, blob }, image, rules)).toMatchObject({
      code: "FORMAT",
    });
  });
});

describe("long-lived keys", () => {
  const payload = simpleSigningPayload({ dockerReference: repository, digest: image });
  const pemOf = (pair: ReturnType<typeof keyPair>) =>
    pair.publicKey.export({ format: "pem", type: "spki" }).toString();

  test.each([
    ["ec", "sha256"],
    ["ec", "sha512"],
    ["ec384", "sha384"],
    ["rsa", "sha256"],
    ["rsa", "sha512"],
    ["ed25519", "sha256"],
  ] as const)("%s with %s", (kind, hash) => {
    const pair = keyPair(kind);
    const bytes = sign(kind === "ed25519" ? null : hash, payload, pair.privateKey);
    const layer = signatureLayer(payload, bytes, {});
    const key = { publicKey: readPublicKey(pemOf(pair)), hash };
    const check = (time: "none" | "log", publicKey = key.publicKey) =>
      verifySignatureLayer(layer, image, {
        ...rules,
        signer: { key: { ...key, publicKey } },
        time,
      });
    expect(check("none")).toMatchObject({ signer: { kind: "key" }, at: undefined });
    expect(check("log")).toMatchObject({ code: "TRANSPARENCY_LOG" });
    expect(check("none", keyPair(kind).publicKey)).toMatchObject({ code: "SIGNATURE" });
    const body = storedHashedRekord(payload, bytes, pemOf(pair));
    const logged = signatureLayer(payload, bytes, { logEntry: world.log(body) });
    expect(verifySignatureLayer(logged, image, { ...rules, signer: { key } })).toMatchObject({
      signer: { kind: "key" },
      at: signedAt,
    });
  });

  test("in bundles", () => {
    const pair = keyPair("ec");
    const statement = signStatement(image);
    const bytes = sign("sha256", preAuthEncoding(inTotoPayloadType, statement), pair.privateKey);
    const written = writeBundle({
      envelope: { payloadType: inTotoPayloadType, payload: statement, signature: bytes },
      signer: { keyHint: "k" },
      logEntries: [],
      timestamps: [],
    });
    const key = { publicKey: pair.publicKey };
    const keyed = { ...rules, signer: { key }, time: "none" as const };
    expect(verifyBundle(written, image, "signature", keyed)).toMatchObject({
      signer: { kind: "key" },
    });
    expect(verifyBundle(written, image, "signature", rules)).toMatchObject({ code: "CERTIFICATE" });
    expect(verifyBundle(bundle(world, "signature"), image, "signature", keyed)).toMatchObject({
      code: "IDENTITY",
    });
  });

  test("a string that is not a public key is refused", () => {
    for (const pem of ["", "x", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"]) {
      expect(() => readPublicKey(pem)).toThrow(/public key/);
    }
    expect(() => readPublicKey(pemOf(keyPair("ec")) + pemOf(keyPair("ec")))).toThrow("one public");
  });
});
