import {
  annotation,
  type LegacyLayer,
} from "../../../../../src/core/signing/sigstore/format/manifest";
import { writeBundle, type Bundle } from "../../../../../src/core/signing/sigstore/format/bundle";
import type { LogEntry } from "../../../../../src/core/signing/sigstore/format/log-entry";
import {
  readTrustedRoot,
  isTrustError,
} from "../../../../../src/core/signing/sigstore/trust/trusted-root";
import {
  isVerified,
  type VerificationRules,
} from "../../../../../src/core/signing/sigstore/verification/verification";
import {
  attestation,
  bundleParts,
  image,
  rulesOf,
  signature,
  verifyAttestationLayer,
  verifySignatureLayer,
} from "./artefacts";
import { Authorities, signedAt } from "./authorities";
import { verifyBundle } from "../../../../../src/core/signing/sigstore/verification/verify-attached";

const world = new Authorities();
const rules: VerificationRules = {
  ...rulesOf(world, { trust: world.trust() }),
  time: "log-and-timestamp",
};
const stamped = { stampedAt: signedAt };

/** Every copy of the bytes in which one bit of one byte is another; at most about 400 of them. */
function* flipped(bytes: Buffer): Generator<Buffer> {
  const step = Math.max(1, Math.floor(bytes.byteLength / 400));
  for (let index = 0; index < bytes.byteLength; index += step) {
    const copy = Buffer.from(bytes);
    copy.writeUInt8(copy.readUInt8(index) ^ (1 << (index % 8)), index);
    yield copy;
  }
}

function* flippedText(text: string): Generator<string> {
  for (const bytes of flipped(Buffer.from(text, "latin1"))) yield bytes.toString("latin1");
}

/** Whether two PEM texts differ by white space alone, which means nothing there. */
const withoutSpace = (text: string): string => text.replace(/\s/g, "");

describe("a legacy signature with a flipped bit is never verified", () => {
  const layer = signature(world, stamped);
  const check = (changed: LegacyLayer) => isVerified(verifySignatureLayer(changed, image, rules));

  test("untouched it is", () => {
    expect(verifySignatureLayer(layer, image, rules)).toMatchObject({ at: signedAt });
  });

  test("in the payload", () => {
    for (const blob of flipped(layer.blob)) expect(check({ ...layer, blob })).toBe(false);
  });

  test.each([
    annotation.signature,
    annotation.certificate,
    annotation.chain,
    annotation.logBundle,
    annotation.timestamp,
  ])("in the annotation %s", (name) => {
    const text = layer.annotations[name] ?? "";
    expect(text).not.toBe("");
    for (const changed of flippedText(text)) {
      if (withoutSpace(changed) === withoutSpace(text)) continue;
      const result = check({ ...layer, annotations: { ...layer.annotations, [name]: changed } });
      if (result) {
        const at = Array.from(changed).findIndex((letter, index) => letter !== text[index]);
        throw new Error(
          `verified with ${name} changed at ${at}: ${changed.slice(at - 30, at + 30)}`,
        );
      }
    }
  });
});

describe.each(["intoto", "dsse"] as const)(
  "an attestation logged as %s with a flipped bit",
  (kind) => {
    const layer = attestation(world, kind);
    const logged = { ...rules, time: "log" as const };
    const check = (changed: LegacyLayer) =>
      isVerified(verifyAttestationLayer(changed, image, logged));

    test("in the envelope, with all its content, is never verified", () => {
      expect(check(layer)).toBe(true);
      for (const blob of flipped(layer.blob)) expect(check({ ...layer, blob })).toBe(false);
    });

    test.each([annotation.certificate, annotation.logBundle, annotation.predicateType])(
      "in the annotation %s is never verified",
      (name) => {
        const text = layer.annotations[name] ?? "";
        for (const changed of flippedText(text)) {
          if (withoutSpace(changed) === withoutSpace(text)) continue;
          const annotations = { ...layer.annotations, [name]: changed };
          expect(check({ ...layer, annotations })).toBe(false);
        }
      },
    );
  },
);

describe("a bundle with a flipped bit is never verified", () => {
  const parts = bundleParts(world, "attestation", stamped);
  const [entry] = parts.logEntries;
  const proof = entry?.inclusionProof;
  if (!entry || !proof || !("certificate" in parts.signer)) throw new Error("not a whole bundle");
  const { certificate } = parts.signer;
  const check = (changed: Partial<Bundle>) =>
    isVerified(verifyBundle(writeBundle({ ...parts, ...changed }), image, "attestation", rules));
  const withEntry = (changed: Partial<LogEntry>) =>
    check({ logEntries: [{ ...entry, ...changed }] });
  const withProof = (changed: Partial<typeof proof>) =>
    withEntry({ inclusionProof: { ...proof, ...changed } });

  test("untouched it is", () => {
    expect(check({})).toBe(true);
  });

  test.each<[string, Buffer, (changed: Buffer) => boolean]>([
    [
      "payload",
      parts.envelope.payload,
      (payload) => check({ envelope: { ...parts.envelope, payload } }),
    ],
    [
      "signature",
      parts.envelope.signature,
      (bytes) => check({ envelope: { ...parts.envelope, signature: bytes } }),
    ],
    // With its promise of a certificate log in it.
    ["certificate", certificate, (changed) => check({ signer: { certificate: changed } })],
    [
      "log's promise",
      entry.signedEntryTimestamp ?? Buffer.alloc(0),
      (signedEntryTimestamp) => withEntry({ signedEntryTimestamp }),
    ],
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
      (changed) => withProof({ checkpoint: changed.toString("utf8") }),
    ],
    [
      "timestamp",
      parts.timestamps[0] ?? Buffer.alloc(0),
      (changed) => check({ timestamps: [changed] }),
    ],
    // As the public authority answers: nothing signs the certificates in a timestamp.
    [
      "timestamp with its signer's certificate",
      world.timestamp(parts.envelope.signature, signedAt, { presented: [world.stamp] }),
      (changed) => check({ timestamps: [changed] }),
    ],
  ])("in the %s", (_, bytes, verifies) => {
    expect(verifies(bytes)).toBe(true);
    for (const changed of flipped(bytes)) {
      const at = changed.findIndex((byte, index) => byte !== bytes[index]);
      if (verifies(changed)) throw new Error(`verified with another byte at ${at}`);
    }
  });

  test("nor with another number", () => {
    const { logIndex, integratedTime } = entry;
    expect(withEntry({ logIndex: logIndex + 1 })).toBe(false);
    expect(withEntry({ integratedTime: integratedTime + 1 })).toBe(false);
    for (const index of Array.from({ length: proof.treeSize + 2 }, (_, each) => each)) {
      if (index !== proof.logIndex) expect(withProof({ logIndex: index })).toBe(false);
    }
    for (const size of [0, 1, proof.treeSize - 1, proof.treeSize + 1]) {
      expect(withProof({ treeSize: size })).toBe(false);
    }
    expect(withProof({ hashes: proof.hashes.slice(1) })).toBe(false);
    expect(withProof({ hashes: [...proof.hashes, Buffer.alloc(32)] })).toBe(false);
    expect(check({ logEntries: [{ ...entry, kind: "intoto/0.0.2" }] })).toBe(false);
    expect(check({ logEntries: [entry, entry] })).toBe(false);
  });

  test("nor with a time that no date can be, in a log that is trusted at all times", () => {
    const trust = world.trust();
    const transparencyLogs = trust.transparencyLogs.map((log) => ({ ...log, validity: {} }));
    const dateless = { ...world.log(entry.body, { getTime: () => 9e18 }), kind: entry.kind };
    const bundle = writeBundle({ ...parts, logEntries: [dateless] });
    const always = { ...rules, trust: { ...trust, transparencyLogs } };
    expect(verifyBundle(bundle, image, "attestation", always)).toMatchObject({
      code: "TRANSPARENCY_LOG",
    });
  });

  test("anywhere in its JSON", () => {
    const text = writeBundle(parts);
    const verified = [...flipped(text)]
      .filter((changed) => isVerified(verifyBundle(changed, image, "attestation", rules)))
      .map((changed) => {
        const at = changed.findIndex((byte, index) => byte !== text[index]);
        return `with a change at ${at}: ${changed.toString("latin1", at - 30, at + 30)}`;
      });
    expect(verified).toEqual([]);
  });
});

describe("a trusted root with a flipped bit", () => {
  // The chain with a signature replaces a broken one in the trusted root.
  const whole = signature(world, stamped);
  const annotations = Object.fromEntries(
    Object.entries(whole.annotations).filter(([name]) => name !== annotation.chain),
  );
  const layer = { ...whole, annotations };
  type Root = ReturnType<Authorities["trustedRoot"]>;
  const places: Record<string, (root: Root) => { get: () => string; set: (text: string) => void }> =
    {};
  const place = (
    name: string,
    of: (root: Root) => Record<string, unknown> | undefined,
    key: string,
  ) => {
    places[name] = (root) => {
      const object = of(root) ?? {};
      return {
        get: () => String(object[key]),
        set: (text) => {
          object[key] = text;
        },
      };
    };
  };
  place("log's key", (root) => root.tlogs[0]?.publicKey, "rawBytes");
  place("log's id", (root) => root.tlogs[0]?.logId, "keyId");
  place("certificate log's key", (root) => root.ctlogs[0]?.publicKey, "rawBytes");
  place("certificate log's id", (root) => root.ctlogs[0]?.logId, "keyId");
  place(
    "issuing authority",
    (root) => root.certificateAuthorities[0]?.certChain.certificates[0],
    "rawBytes",
  );
  place(
    "timestamp authority",
    (root) => root.timestampAuthorities[0]?.certChain.certificates[0],
    "rawBytes",
  );

  test.each(Object.keys(places))("in the %s verifies nothing", (name) => {
    const text = places[name]?.(world.trustedRoot()).get() ?? "";
    for (const bytes of flipped(Buffer.from(text, "base64"))) {
      const root = world.trustedRoot();
      places[name]?.(root).set(bytes.toString("base64"));
      expect(verifiesWith(root)).toBe(false);
    }
  });

  /** The last certificate is trusted as it is: only its key, name and usage count. */
  test("in the root authority's key verifies nothing", () => {
    const der = world.root;
    const start = der.indexOf(world.rootKey.spki);
    for (let index = start; index < start + world.rootKey.spki.byteLength; index += 1) {
      const changed = Buffer.from(der);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      const root = world.trustedRoot();
      const certificate = root.certificateAuthorities[0]?.certChain.certificates[1];
      if (certificate) certificate.rawBytes = changed.toString("base64");
      expect(verifiesWith(root)).toBe(false);
    }
  });

  function verifiesWith(root: Root): boolean {
    try {
      const trust = readTrustedRoot(JSON.stringify(root));
      return isVerified(verifySignatureLayer(layer, image, { ...rules, trust }));
    } catch (error) {
      if (isTrustError(error)) return false;
      throw error;
    }
  }
});
