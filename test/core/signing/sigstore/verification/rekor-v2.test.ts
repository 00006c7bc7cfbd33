import { createHash, createPublicKey, X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleFromJSON } from "@sigstore/bundle";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { Verifier, toSignedEntity, toTrustMaterial } from "@sigstore/verify";
import { storedDsse, storedHashedRekord } from "../format/stored-entries";
import {
  writeBundle,
  type Bundle,
  type BundledEntry,
} from "../../../../../src/core/signing/sigstore/format/bundle";
import { loadTrust } from "../../../../../src/core/signing/sigstore/trust/load-trust";
import { noteKeyId } from "../../../../../src/core/signing/sigstore/verification/inclusion-proof";
import { verifyContent } from "../../../../../src/core/signing/sigstore/verification/signed-content";
import {
  isVerified,
  type VerificationRules,
  attempt,
} from "../../../../../src/core/signing/sigstore/verification/verification";
import { reportItem } from "../../../../../src/core/signing/tree/report-item";
import { image } from "./artefacts";
import { Authorities, signedAt } from "./authorities";
import {
  RekorV2Log,
  bundleV2,
  origin,
  proposal,
  rootWith,
  rulesWith,
  storedRekorV2,
} from "./rekor-v2";
import {
  inTotoPayloadType,
  preAuthEncoding,
  writeEnvelope,
} from "../../../../../src/core/signing/sigstore/format/statement";
import { verifyBundle } from "../../../../../src/core/signing/sigstore/verification/verify-attached";

const world = new Authorities();
const log = new RekorV2Log();
const other = new RekorV2Log("other.example.com");
const root = rootWith(world, log, other);
const rules = rulesWith(world, root);

const verify = (bundle: Bundle, by: VerificationRules = rules) =>
  verifyBundle(writeBundle(bundle), image, "attestation", by);

const parts = bundleV2(world, [log]);
const [entry] = parts.logEntries;
const proof = entry?.inclusionProof;
if (!entry || !proof || !("certificate" in parts.signer)) throw new Error("not a whole bundle");
const { certificate } = parts.signer;
const { envelope } = parts;
const bytes = preAuthEncoding(inTotoPayloadType, envelope.payload);

const withEntry = (changed: Partial<BundledEntry>): Bundle => ({
  ...parts,
  logEntries: [{ ...entry, ...changed }],
});
const withProof = (changed: Partial<typeof proof>): Bundle =>
  withEntry({ inclusionProof: { ...proof, ...changed } });
/** The same evidence for another body, as if the log had accepted it. */
const withBody = (body: Buffer, kind = "hashedrekord/0.0.2"): Bundle => ({
  ...parts,
  logEntries: [
    { ...log.log(body), kind, ...(kind !== "hashedrekord/0.0.2" && { integratedTime }) },
  ],
});
const integratedTime = Math.floor(signedAt.getTime() / 1000);

describe("a bundle logged in Rekor v2", () => {
  test("is verified at the time of its timestamp", () => {
    const logged = { logId: log.id.toString("hex"), logIndex: entry.logIndex };
    expect(verify(parts)).toMatchObject({ at: signedAt, log: logged });
  });

  test("is verified with a log that signs with ECDSA", () => {
    const ecdsa = new RekorV2Log(origin, "ecdsa");
    const trusted = rulesWith(world, rootWith(world, ecdsa));
    expect(verify(bundleV2(world, [ecdsa]), trusted)).toMatchObject({ at: signedAt });
  });

  test("is verified with a log of which only the key is trusted, in a PEM file", async () => {
    const { transparencyLogs } = await loadTrust({
      environment: { SIGSTORE_REKOR_PUBLIC_KEY: await pemFile(log.publicKeyPem) },
      signal: new AbortController().signal,
    });
    const trust = { ...world.trust(), transparencyLogs };
    expect(verify(parts, { ...rules, trust })).toMatchObject({ at: signedAt });
    expect(verify(bundleV2(world, [other]), { ...rules, trust })).toMatchObject({
      code: "TRANSPARENCY_LOG",
    });
  });

  test("signed with a bare key is verified, with the key in the entry", () => {
    const signer = world.signer();
    const { payload } = envelope;
    const signature = signer.key.sign(bytes);
    const publicKey = createPublicKey(signer.key.privateKey);
    const verifier = { publicKey: signer.key.spki };
    const bundle: Bundle = {
      envelope: { payloadType: inTotoPayloadType, payload, signature },
      signer: { keyHint: "" },
      logEntries: [
        {
          ...log.log(storedRekorV2({ bytes, signature, verifier, key: publicKey })),
          kind: "hashedrekord/0.0.2",
        },
      ],
      timestamps: [world.timestamp(signature)],
    };
    const byKey = { ...rules, signer: { key: { publicKey } } };
    expect(verify(bundle, byKey)).toMatchObject({ at: signedAt });
    expect(verify({ ...bundle, timestamps: [] }, byKey)).toMatchObject({ code: "TIMESTAMP" });
  });

  test("names the entry that was verified, not one of a log that is not trusted", () => {
    const both = bundleV2(world, [new RekorV2Log("stranger.example.com"), log]);
    const logIndex = both.logEntries[1]?.logIndex;
    expect(verify(both)).toMatchObject({ log: { logId: log.id.toString("hex"), logIndex } });
  });

  test("is verified if one of several logs is trusted, and every entry of a trusted one is right", () => {
    const stranger = new RekorV2Log("stranger.example.com");
    const both = bundleV2(world, [log, other]);
    expect(verify(both)).toMatchObject({ at: signedAt });
    expect(verify(bundleV2(world, [stranger, log]))).toMatchObject({ at: signedAt });
    expect(verify(bundleV2(world, [stranger]))).toMatchObject({ code: "TRANSPARENCY_LOG" });
    const [first, second] = both.logEntries;
    if (!first || !second) throw new Error("not two entries");
    const broken = { ...second, logIndex: second.logIndex + 1 };
    expect(verify({ ...both, logEntries: [first, broken] })).toMatchObject({
      code: "TRANSPARENCY_LOG",
    });
    expect(verify({ ...both, logEntries: [first, first] })).toMatchObject({
      problem: expect.stringContaining("more than one entry of the same") as string,
    });
    const many = Array.from({ length: 9 }, () => new RekorV2Log());
    expect(verify(bundleV2(world, many))).toMatchObject({ code: "FORMAT" });
  });
});

describe("the time of a bundle logged in Rekor v2", () => {
  test.each<[string, Bundle, Partial<VerificationRules>]>([
    ["no timestamp", { ...parts, timestamps: [] }, {}],
    ["a timestamp of something else", { ...parts, timestamps: [world.timestamp(bytes)] }, {}],
    [
      "a timestamp of a stranger",
      { ...parts, timestamps: [new Authorities().timestamp(envelope.signature)] },
      {},
    ],
  ])("is not proven by %s", (_, bundle, changes) => {
    expect(verify(bundle, { ...rules, ...changes })).toMatchObject({ code: "TIMESTAMP" });
  });

  test("is not proven if no timestamp authority is trusted", () => {
    const trust = { ...rules.trust, timestampAuthorities: [] };
    expect(verify(parts, { ...rules, trust })).toMatchObject({ code: "NO_TRUST" });
  });

  test("is not taken from the entry, which has none", () => {
    const problem = expect.stringContaining("Rekor v2 entry has a time") as string;
    expect(verify(withEntry({ integratedTime }))).toMatchObject({ problem });
    const promised = { integratedTime, signedEntryTimestamp: Buffer.from("promise") };
    expect(verify({ ...withEntry(promised), timestamps: [] })).toMatchObject({
      code: "TIMESTAMP",
    });
    expect(verify(withEntry({ signedEntryTimestamp: Buffer.from("x") }))).toMatchObject({
      problem,
    });
  });

  test("is said to be that of the evidence that proves it, in whatever order the entries are", () => {
    const pem = new X509Certificate(certificate).toString();
    const stored = storedDsse(writeEnvelope(envelope), envelope, pem);
    const loggedBy = (authorities: Authorities): BundledEntry => ({
      ...authorities.log(stored),
      kind: "dsse/0.0.1",
    });
    const signedBy = (...logEntries: BundledEntry[]) => {
      const bundle = { ...parts, logEntries };
      const attached = { kind: "bundle", bytes: writeBundle(bundle) } as const;
      const context = { image, kind: "attestation", trust: rules.trust } as const;
      const { check, signed } = reportItem(attached, context);
      expect(check).toEqual({ result: "verified" });
      expect(verify(bundle)).toMatchObject({ provenBy: signed?.by });
      return signed?.by;
    };
    expect(signedBy(entry)).toBe("timestamp");
    expect(signedBy(loggedBy(world), entry)).toBe("log");
    expect(signedBy(entry, loggedBy(world))).toBe("log");
    // Nobody trusts the log whose entry has a time.
    expect(signedBy(loggedBy(new Authorities()), entry)).toBe("timestamp");
  });

  test("must be one at which the certificate was valid and the log trusted", () => {
    const late = new Date(signedAt.getTime() + 3_600_000);
    expect(verify(bundleV2(world, [log], { stampedAt: late }))).toMatchObject({ code: "TIME" });
    const ended = { start: "2020-01-01T00:00:00Z", end: "2026-01-01T00:00:00Z" };
    const over = rulesWith(world, rootWith(world, { trusted: () => log.trusted(ended) }));
    const untrusted = expect.stringContaining("was not trusted at the time") as string;
    expect(verify(parts, over)).toMatchObject({ problem: untrusted });
    // Of two timestamps, the log was trusted at one only.
    const { signature } = envelope;
    const soon = new Date(signedAt.getTime() + 60_000);
    const twice = {
      ...parts,
      timestamps: [signedAt, soon].map((time) => world.timestamp(signature, time)),
    };
    const ending = {
      start: "2020-01-01T00:00:00Z",
      end: new Date(signedAt.getTime() + 30_000).toISOString(),
    };
    const closing = rulesWith(world, rootWith(world, { trusted: () => log.trusted(ending) }));
    expect(verify(parts, closing)).toMatchObject({ at: signedAt });
    expect(verify(twice)).toMatchObject({ at: signedAt });
    expect(verify(twice, closing)).toMatchObject({ problem: untrusted });
  });
});

describe("an entry of Rekor v2 is refused", () => {
  const signer = world.signer();
  const hash = (content: Buffer, signature = envelope.signature, der = certificate) =>
    storedRekorV2(proposal(content, signature, { der }));
  const pem = `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`;

  test.each<[string, Bundle, string]>([
    ["for another content", withBody(hash(Buffer.from("other"))), "another content"],
    // Version 1 logs the hash of the payload for envelopes.
    ["for the payload alone", withBody(hash(envelope.payload)), "another content"],
    ["for another signature", withBody(hash(bytes, signer.key.sign(bytes))), "another signature"],
    ["for another signer", withBody(hash(bytes, envelope.signature, signer.der)), "another signer"],
    ["without a proof", withEntry({ inclusionProof: undefined }), "no inclusion proof"],
    ["with two indexes", withEntry({ logIndex: entry.logIndex + 1 }), "two different indexes"],
    [
      "of version 1 of the log, which has no promise",
      withBody(storedDsse(writeEnvelope(envelope), envelope, pem), "dsse/0.0.1"),
      "not signed by the log",
    ],
    [
      "of a signature of version 1, which has none either",
      withBody(storedHashedRekord(bytes, envelope.signature, pem), "hashedrekord/0.0.1"),
      "not signed by the log",
    ],
    [
      "in a log of version 1",
      { ...parts, logEntries: [{ ...world.log(entry.body), kind: entry.kind, integratedTime: 0 }] },
      "has a time",
    ],
  ])("%s", (_, bundle, problem) => {
    expect(verify(bundle)).toMatchObject({
      problem: expect.stringContaining(problem) as string,
    });
  });

  test("in a log of version 1, whose checkpoints have another name", () => {
    const logged = world.log(entry.body);
    const inLog1 = {
      ...logged,
      kind: entry.kind,
      integratedTime: 0,
      signedEntryTimestamp: undefined,
      logIndex: logged.inclusionProof?.logIndex ?? 0,
    };
    expect(verify({ ...parts, logEntries: [inLog1] })).toMatchObject({
      problem: expect.stringContaining("not trusted under its name") as string,
    });
  });

  /** An entry of a trusted log, which signs its checkpoint under the name that is given. */
  const underOtherNames = (log: RekorV2Log) => {
    const [logged] = bundleV2(world, [log]).logEntries;
    const inclusionProof = logged?.inclusionProof;
    if (!inclusionProof) throw new Error("no proof");
    const { treeSize, rootHash } = inclusionProof;
    const by = rulesWith(world, rootWith(world, log));
    return (name: string) => {
      const checkpoint = log.checkpoint(treeSize, rootHash, name);
      const renamed = { ...logged, inclusionProof: { ...inclusionProof, checkpoint } };
      return verify({ ...parts, logEntries: [renamed] }, by);
    };
  };

  test.each(["ed25519", "ecdsa"] as const)(
    "in a log that signs under another name with its %s key",
    (kind) => {
      const named = new RekorV2Log(origin, kind);
      const verifyUnder = underOtherNames(named);
      for (const name of ["evil.example.com", `${origin}x`, `${origin} - 42`, ""]) {
        expect(verifyUnder(name)).toMatchObject({
          code: "TRANSPARENCY_LOG",
        });
      }
    },
  );

  test("in a log under another name of its URL, which is not in its ID", () => {
    expect(underOtherNames(new RekorV2Log(`${origin}/v2`))(origin)).toMatchObject({
      problem: expect.stringContaining("not trusted under its name") as string,
    });
  });

  test("with more signatures under its checkpoint than anybody has, before they are verified", () => {
    const [line = ""] = /\n(\u2014 .*\n)$/u.exec(proof.checkpoint)?.slice(1) ?? [];
    const broken = line.replace(/.{8}\n$/, "AAAAAA==\n");
    const signedBy = (count: number) =>
      verify(
        withProof({ checkpoint: proof.checkpoint.replace(line, broken.repeat(count) + line) }),
      );
    expect(signedBy(2)).toMatchObject({ at: signedAt });
    // At most three signatures with the log's own key ID are verified.
    expect(signedBy(3)).toMatchObject({
      problem: expect.stringContaining("is not signed by the log") as string,
    });
    expect(signedBy(100)).toMatchObject({
      problem: expect.stringContaining(
        "has 101 signatures, more than the maximum of 100",
      ) as string,
    });
  });

  test("with unknown members", () => {
    const text = entry.body.toString("utf8");
    for (const [before, after] of [
      ['"spec":{', '"spec":{"more":1,'],
      ['"data":{', '"data":{"more":1,'],
      ['"verifier":{', '"verifier":{"publicKey":{"rawBytes":"AAAA"},'],
      ['"SHA2_256"', '"SHA3_256"'],
      ['"SHA2_256"', '"SHA2_512"'],
    ] as const) {
      expect(text).toContain(before);
      const body = Buffer.from(text.replace(before, after));
      expect(verify(withBody(body))).toMatchObject({ code: "TRANSPARENCY_LOG" });
    }
  });
});

/** Every copy of the bytes in which one bit of one byte is another; at most about 400 of them. */
function* flipped(from: Buffer): Generator<Buffer> {
  const step = Math.max(1, Math.floor(from.byteLength / 400));
  for (let index = 0; index < from.byteLength; index += step) {
    const copy = Buffer.from(from);
    copy.writeUInt8(copy.readUInt8(index) ^ (1 << (index % 8)), index);
    yield copy;
  }
}

describe("a bundle of Rekor v2 with a flipped bit is never verified", () => {
  test.each<[string, Buffer, (changed: Buffer) => Bundle]>([
    ["certificate", certificate, (changed) => ({ ...parts, signer: { certificate: changed } })],
    [
      "signature",
      envelope.signature,
      (signature) => ({ ...parts, envelope: { ...envelope, signature } }),
    ],
    ["payload", envelope.payload, (payload) => ({ ...parts, envelope: { ...envelope, payload } })],
    ["log's id", entry.logId, (logId) => withEntry({ logId })],
    ["log's entry", entry.body, (body) => withEntry({ body })],
    ["root hash", proof.rootHash, (rootHash) => withProof({ rootHash })],
    [
      "hashes of the proof",
      Buffer.concat(proof.hashes),
      (all) =>
        withProof({ hashes: proof.hashes.map((_, at) => all.subarray(32 * at, 32 * at + 32)) }),
    ],
    [
      "checkpoint",
      Buffer.from(proof.checkpoint, "utf8"),
      (changed) => withProof({ checkpoint: changed.toString("latin1") }),
    ],
    [
      "timestamp",
      parts.timestamps[0] ?? Buffer.alloc(0),
      (changed) => ({ ...parts, timestamps: [changed] }),
    ],
  ])("in the %s", (_, from, changed) => {
    expect(from.byteLength).toBeGreaterThan(0);
    for (const copy of flipped(from)) {
      const at = copy.findIndex((byte, index) => byte !== from[index]);
      if (isVerified(verify(changed(copy)))) throw new Error(`verified with another byte at ${at}`);
    }
  });

  test("nor with another number, or another length of the proof", () => {
    for (let index = 0; index < proof.treeSize + 2; index += 1) {
      if (index === proof.logIndex) continue;
      const changed = { logIndex: index, inclusionProof: { ...proof, logIndex: index } };
      expect(isVerified(verify(withEntry(changed)))).toBe(false);
    }
    for (const treeSize of [0, 1, proof.treeSize - 1, proof.treeSize + 1]) {
      expect(isVerified(verify(withProof({ treeSize })))).toBe(false);
    }
    expect(isVerified(verify(withProof({ hashes: proof.hashes.slice(1) })))).toBe(false);
    const longer = [...proof.hashes, Buffer.alloc(32)];
    expect(isVerified(verify(withProof({ hashes: longer })))).toBe(false);
    for (const kind of ["hashedrekord/0.0.1", "dsse/0.0.1"]) {
      expect(isVerified(verify(withEntry({ kind })))).toBe(false);
    }
  });

  test("anywhere in its text", () => {
    const text = writeBundle(parts);
    for (const changed of flipped(text)) {
      const at = changed.findIndex((byte, index) => byte !== text[index]);
      if (isVerified(verifyBundle(changed, image, "attestation", rules))) {
        throw new Error(
          `verified with a change at ${at}: ${changed.toString("latin1", at - 30, at + 30)}`,
        );
      }
    }
  });
});

test("the ID of a log is computed as that of the public log of 2025", () => {
  const rawBytes = "MCowBQYDK2VwAyEAt8rlp1knGwjfbcXAYPYAkn0XiLz1x8O4t0YkEhie244=";
  const key = createPublicKey({
    key: Buffer.from(rawBytes, "base64"),
    format: "der",
    type: "spki",
  });
  const id = noteKeyId("log2025-1.rekor.sigstore.dev", key);
  expect(id?.toString("base64")).toBe("zxGZFVvd0FEmjR8WrFwMdcAJ9vtaY/QXf44Y1wUeP6A=");
});

describe("an outside verifier agrees about signatures of bytes in Rekor v2", () => {
  const artifact = Buffer.from("an artifact");
  const signer = world.signer();
  const signature = signer.key.sign(artifact);
  const logged = log.log(storedRekorV2(proposal(artifact, signature, signer)));
  const stamp = world.timestamp(signature);
  const sample = { logged, signature, stamp };

  function ours({ logged: logEntry, signature: bytesSigned, stamp: timestamp }: typeof sample) {
    const content = {
      bytes: artifact,
      payload: artifact,
      signature: bytesSigned,
      logEntry,
      certificate: signer.der,
      chain: [],
      timestamps: [timestamp],
      logKinds: ["hashedrekord/0.0.2" as const],
      logProof: "required" as const,
    };
    return isVerified(attempt(() => verifyContent(content, rules)));
  }

  function theirs({ logged: logEntry, signature: bytesSigned, stamp: timestamp }: typeof sample) {
    const json = JSON.parse(
      writeBundle({
        ...parts,
        logEntries: [{ ...logEntry, kind: "hashedrekord/0.0.2" }],
        timestamps: [timestamp],
      }).toString(),
    ) as Record<string, Record<string, unknown>>;
    const bundle = {
      mediaType: json["mediaType"],
      verificationMaterial: {
        ...json["verificationMaterial"],
        certificate: { rawBytes: signer.der.toString("base64") },
      },
      messageSignature: {
        messageDigest: {
          algorithm: "SHA2_256",
          digest: createHash("sha256").update(artifact).digest("base64"),
        },
        signature: bytesSigned.toString("base64"),
      },
    };
    try {
      const material = toTrustMaterial(TrustedRoot.fromJSON(root));
      new Verifier(material).verify(toSignedEntity(bundleFromJSON(bundle), artifact));
      return true;
    } catch {
      return false;
    }
  }

  test("that a genuine one is verified", () => {
    expect([ours(sample), theirs(sample)]).toEqual([true, true]);
  });

  const elsewhere = log.log(storedRekorV2(proposal(Buffer.from("other"), signature, signer)));
  const index = logged.logIndex + 1;
  const loggedProof = logged.inclusionProof;
  const shifted = {
    ...logged,
    logIndex: index,
    inclusionProof: loggedProof && { ...loggedProof, logIndex: index },
  };
  const foreign = new RekorV2Log().log(logged.body);
  test.each<[string, typeof sample]>([
    ["an entry for something else", { ...sample, logged: elsewhere }],
    ["an entry with another index", { ...sample, logged: shifted }],
    ["an entry of a log that is not trusted", { ...sample, logged: foreign }],
    ["another signature", { ...sample, signature: signer.key.sign(Buffer.from("other")) }],
    ["another timestamp", { ...sample, stamp: world.timestamp(Buffer.from("other")) }],
  ])("that %s is refused", (_, changed) => {
    expect([ours(changed), theirs(changed)]).toEqual([false, false]);
  });

  // It compares the entry with the hash of the payload, as for version 1, instead of with the encoding.
  test("but not about envelopes, which it does not support", () => {
    const bundle = bundleFromJSON(JSON.parse(writeBundle(parts).toString()));
    const verifier = new Verifier(toTrustMaterial(TrustedRoot.fromJSON(root)));
    const entity = toSignedEntity(bundle);
    expect(() => verifier.verify(entity)).toThrow("digest mismatch");
  });
});

async function pemFile(pem: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-rekor-v2-"));
  folders.push(() => rm(folder, { recursive: true }));
  const path = join(folder, "log.pub");
  await writeFile(path, pem);
  return path;
}

const folders: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const remove of folders) await remove();
});
