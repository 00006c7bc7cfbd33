import { createHash } from "node:crypto";
import {
  annotation,
  emptyConfig,
  writeBundleManifest,
  writeDescriptor,
  attestationLayer,
  layerDescriptor,
  signatureLayer,
  readSimpleSigning,
  simpleSigningPayload,
} from "../../../../../src/core/signing/sigstore/format/manifest";
import {
  readBundle,
  writeBundle,
  type Bundle,
} from "../../../../../src/core/signing/sigstore/format/bundle";
import { readLogBody } from "../../../../../src/core/signing/sigstore/format/log-body";
import {
  proposeDsse,
  proposeHashedRekord,
  proposeIntoto,
  readLogBundle,
  signedEntry,
  writeLogBundle,
} from "../../../../../src/core/signing/sigstore/format/log-entry";
import { storedDsse, storedHashedRekord, storedIntoto } from "./stored-entries";
import { parseJson } from "../../../../../src/core/json/parse-json";
import { predicateTypeUri } from "../../../../../src/core/signing/predicate/predicate-type";
import {
  type Digest,
  digestOf,
  tagOfDigest,
} from "../../../../../src/core/signing/oci/reference/descriptor";
import {
  bundleStatement,
  customPredicate,
  hasSubject,
  inTotoPayloadType,
  legacyStatement,
  preAuthEncoding,
  readEnvelope,
  readStatement,
  signStatement,
  writeEnvelope,
} from "../../../../../src/core/signing/sigstore/format/statement";
import { attachedManifest } from "../../../../../src/core/signing/sign/attached-layers";

const hex = "0123456789abcdef".repeat(4);
const digest: Digest = `sha256:${hex}`;
const name = "registry.example.com/team/app";
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const body = Buffer.from('{"kind":"x"}');
const entry = {
  logIndex: 7,
  integratedTime: 1700000000,
  body,
  logId: Buffer.from(hex, "hex"),
  signedEntryTimestamp: Buffer.from("set"),
};

describe("legacy signatures", () => {
  const payload =
    `{"critical":{"identity":{"docker-reference":"${name}"},` +
    `"image":{"docker-manifest-digest":"${digest}"},` +
    `"type":"cosign container image signature"},"optional":null}`;

  test("the payload", () => {
    expect(simpleSigningPayload({ dockerReference: name, digest }).toString()).toBe(payload);
    expect(readSimpleSigning(Buffer.from(payload))).toEqual({ dockerReference: name, digest });
  });

  test("the payload with characters that Go escapes", () => {
    const escaped = simpleSigningPayload({ dockerReference: "a<&>\u2028", digest }).toString();
    expect(escaped).toContain(String.raw`"docker-reference":"a\u003c\u0026\u003e\u2028"`);
  });

  test("a payload of another type, or with another digest algorithm, is refused", () => {
    for (const [from, to] of [
      ["cosign container", "other"],
      ["sha256:", "sha512:"],
    ] as const) {
      expect(() => readSimpleSigning(Buffer.from(payload.replace(from, to)))).toThrow("payload");
    }
  });

  test("the layer with its annotations, and the tag", () => {
    const evidence = { certificatePem: "CERT", chainPem: "CHAIN", logEntry: entry };
    const layer = signatureLayer(Buffer.from(payload), Buffer.from("sig"), {
      ...evidence,
      timestamp: Buffer.from("tsr"),
    });
    expect(layerDescriptor(layer)).toEqual({
      mediaType: "application/vnd.dev.cosign.simplesigning.v1+json",
      size: payload.length,
      digest: `sha256:${sha256(payload)}`,
      annotations: {
        "dev.cosignproject.cosign/signature": base64("sig"),
        "dev.sigstore.cosign/certificate": "CERT",
        "dev.sigstore.cosign/chain": "CHAIN",
        "dev.sigstore.cosign/bundle":
          `{"SignedEntryTimestamp":"${base64("set")}","Payload":{"body":"${base64('{"kind":"x"}')}",` +
          `"integratedTime":1700000000,"logIndex":7,"logID":"${hex}"}}`,
        "dev.sigstore.cosign/rfc3161timestamp": `{"SignedRFC3161Timestamp":"${base64("tsr")}"}`,
      },
    });
    expect(tagOfDigest(digest, ".sig")).toBe(`sha256-${hex}.sig`);
    expect(tagOfDigest(digest)).toBe(`sha256-${hex}`);
  });

  test("the layer of a bare key has only the signature", () => {
    const { annotations } = signatureLayer(Buffer.from(payload), Buffer.from("sig"), {});
    expect(annotations).toEqual({ [annotation.signature]: base64("sig") });
  });

  test("the image under the tag: configuration and manifest", () => {
    const layer = layerDescriptor(signatureLayer(Buffer.from("{}"), Buffer.from("sig"), {}));
    const { config, manifest } = attachedManifest([writeDescriptor(layer)], undefined, "a.sig");
    expect(config.toString()).toBe(
      '{"architecture":"","created":"0001-01-01T00:00:00Z","history":[{"created":"0001-01-01T00:00:00Z"}],' +
        `"os":"","rootfs":{"type":"layers","diff_ids":["${layer.digest}"]},"config":{}}`,
    );
    expect(manifest.bytes.toString()).toBe(
      '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",' +
        '"config":{"mediaType":"application/vnd.oci.image.config.v1+json",' +
        `"size":${config.byteLength},"digest":"${digestOf(config)}"},` +
        '"layers":[{"mediaType":"application/vnd.dev.cosign.simplesigning.v1+json","size":2,' +
        `"digest":"${layer.digest}","annotations":{"dev.cosignproject.cosign/signature":"${base64("sig")}"}}]}`,
    );
  });
});

describe("legacy attestations", () => {
  const predicate = parseJson('{"b":[9007199254740993,1e21,{"z":1,"a":"<&>"}],"a":null}');
  const predicateType = "https://example.com/check/v1";
  const statement =
    `{"_type":"https://in-toto.io/Statement/v0.1","subject":[{"name":"${name}",` +
    `"digest":{"sha256":"${hex}"}}],"predicateType":"https://example.com/check/v1","predicate":` +
    String.raw`{"a":null,"b":[9007199254740992,1e+21,{"a":"\u003c\u0026\u003e","z":1}]}}`;

  test("the statement", () => {
    const bytes = legacyStatement({ name, digest, predicateType, predicate });
    expect(bytes.toString()).toBe(statement);
    const read = readStatement(bytes);
    expect(read).toMatchObject({ predicateType, subjects: [{ name, digest: { sha256: hex } }] });
    expect(hasSubject(read, digest)).toBe(true);
    expect(hasSubject(read, `sha256:${"0".repeat(64)}`)).toBe(false);
  });

  test("what `custom` makes of a string", () => {
    const now = new Date("2026-03-01T12:00:00.789Z");
    const type = predicateTypeUri("custom") ?? "";
    const bytes = legacyStatement({
      name,
      digest,
      predicateType: type,
      predicate: customPredicate('{"a": 1}', now),
    });
    expect(bytes.toString()).toContain(
      '"predicateType":"https://cosign.sigstore.dev/attestation/v1",' +
        String.raw`"predicate":{"Data":"{\"a\": 1}","Timestamp":"2026-03-01T12:00:00Z"}}`,
    );
  });

  test.each([
    ["custom", "https://cosign.sigstore.dev/attestation/v1"],
    ["slsaprovenance", "https://slsa.dev/provenance/v0.2"],
    ["spdx", "https://spdx.dev/Document"],
    ["spdxjson", "https://spdx.dev/Document"],
    ["cyclonedx", "https://cyclonedx.org/bom"],
    ["link", "https://in-toto.io/Link/v1"],
    ["vuln", "https://cosign.sigstore.dev/attestation/vuln/v1"],
    ["https://example.com/x", "https://example.com/x"],
    ["other", undefined],
    ["toString", undefined],
  ])("the predicate type %s", (short, uri) => {
    expect(predicateTypeUri(short)).toBe(uri);
  });

  const payload = Buffer.from("{}");
  const envelope = { payloadType: inTotoPayloadType, payload, signature: Buffer.from("sig") };
  const envelopeText =
    `{"payloadType":"application/vnd.in-toto+json","payload":"${base64("{}")}",` +
    `"signatures":[{"keyid":"","sig":"${base64("sig")}"}]}`;

  test("the envelope, and the bytes that its signature covers", () => {
    expect(writeEnvelope(envelope).toString()).toBe(envelopeText);
    expect(readEnvelope(Buffer.from(envelopeText))).toEqual(envelope);
    // The example of the specification.
    expect(
      preAuthEncoding("http://example.com/HelloWorld", Buffer.from("hello world")).toString(),
    ).toBe("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
  });

  test("the layer", () => {
    const layer = attestationLayer(Buffer.from(envelopeText), predicateType, {
      certificatePem: "CERT",
    });
    expect(layer.mediaType).toBe("application/vnd.dsse.envelope.v1+json");
    expect(layer.annotations).toEqual({
      "dev.cosignproject.cosign/signature": "",
      "dev.sigstore.cosign/certificate": "CERT",
      predicateType,
    });
    expect(tagOfDigest(digest, ".att")).toBe(`sha256-${hex}.att`);
  });

  describe("entries of the log", () => {
    const signature = Buffer.from("sig");
    const whole = Buffer.from(envelopeText);
    const pem = base64("PEM");
    const hash = (text: string) => `{"algorithm":"sha256","value":"${sha256(text)}"}`;

    test("hashedrekord 0.0.1", () => {
      const spec = `{"data":{"hash":${hash("{}")}},"signature":{"content":"${base64("sig")}","publicKey":{"content":"${pem}"}}}`;
      expect(JSON.stringify(proposeHashedRekord(payload, signature, "PEM"))).toBe(
        `{"kind":"hashedrekord","apiVersion":"0.0.1","spec":${spec}}`,
      );
      const stored = storedHashedRekord(payload, signature, "PEM");
      expect(stored.toString()).toBe(`{"apiVersion":"0.0.1","kind":"hashedrekord","spec":${spec}}`);
      expect(readLogBody(stored)).toEqual({
        kind: "hashedrekord/0.0.1",
        signature,
        content: { of: "signed bytes", algorithm: "sha256", value: sha256("{}") },
        verifierPem: "PEM",
      });
    });

    test("intoto 0.0.1", () => {
      expect(JSON.stringify(proposeIntoto(whole, "PEM").spec)).toBe(
        `{"content":{"envelope":${JSON.stringify(envelopeText)}},"publicKey":"${pem}"}`,
      );
      const stored = storedIntoto(whole, payload, "PEM");
      expect(stored.toString()).toBe(
        '{"apiVersion":"0.0.1","kind":"intoto","spec":{"content":' +
          `{"hash":${hash(envelopeText)},"payloadHash":${hash("{}")}},"publicKey":"${pem}"}}`,
      );
      expect(readLogBody(stored)).toEqual({
        kind: "intoto/0.0.1",
        content: { of: "payload", algorithm: "sha256", value: sha256("{}") },
        envelopeSha256: sha256(envelopeText),
        verifierPem: "PEM",
      });
    });

    test("dsse 0.0.1", () => {
      expect(JSON.stringify(proposeDsse(whole, "PEM").spec)).toBe(
        `{"proposedContent":{"envelope":${JSON.stringify(envelopeText)},"verifiers":["${pem}"]}}`,
      );
      const stored = storedDsse(whole, envelope, "PEM");
      expect(stored.toString()).toBe(
        `{"apiVersion":"0.0.1","kind":"dsse","spec":{"envelopeHash":${hash(envelopeText)},` +
          `"payloadHash":${hash("{}")},"signatures":[{"signature":"${base64("sig")}","verifier":"${pem}"}]}}`,
      );
      expect(readLogBody(stored)).toMatchObject({ signature, verifierPem: "PEM" });
    });

    test("other kinds are refused by name", () => {
      const other = '{"apiVersion":"0.0.3","kind":"hashedrekord","spec":{}}';
      expect(() => readLogBody(Buffer.from(other))).toThrow(
        '"hashedrekord/0.0.3" are not supported',
      );
    });

    test("what the log signs, and the annotation that contains it", () => {
      expect(signedEntry(entry).toString()).toBe(
        `{"body":"${base64('{"kind":"x"}')}","integratedTime":1700000000,"logID":"${hex}","logIndex":7}`,
      );
      expect(readLogBundle(writeLogBundle(entry))).toEqual(entry);
    });
  });
});

describe("bundles", () => {
  const bundle: Bundle = {
    envelope: {
      payloadType: inTotoPayloadType,
      payload: signStatement(digest),
      signature: Buffer.from("sig"),
    },
    signer: { certificate: Buffer.from("der") },
    logEntries: [
      {
        ...entry,
        kind: "dsse/0.0.1",
        inclusionProof: {
          logIndex: 3,
          treeSize: 4,
          rootHash: Buffer.from("root"),
          hashes: [Buffer.from("h")],
          checkpoint: "note\n",
        },
      },
    ],
    timestamps: [],
  };
  const statement =
    `{"_type":"https://in-toto.io/Statement/v1","subject":[{"digest":{"sha256":"${hex}"}}],` +
    '"predicateType":"https://sigstore.dev/cosign/sign/v1","predicate":{}}';
  const text =
    '{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json","verificationMaterial":' +
    `{"certificate":{"rawBytes":"${base64("der")}"},"tlogEntries":[{"logIndex":"7",` +
    `"logId":{"keyId":"${Buffer.from(hex, "hex").toString("base64")}"},` +
    '"kindVersion":{"kind":"dsse","version":"0.0.1"},"integratedTime":"1700000000",' +
    `"inclusionPromise":{"signedEntryTimestamp":"${base64("set")}"},` +
    `"inclusionProof":{"logIndex":"3","rootHash":"${base64("root")}","treeSize":"4",` +
    `"hashes":["${base64("h")}"],"checkpoint":{"envelope":"note\\n"}},` +
    `"canonicalizedBody":"${base64('{"kind":"x"}')}"}]},` +
    `"dsseEnvelope":{"payload":"${base64(statement)}","payloadType":"application/vnd.in-toto+json",` +
    `"signatures":[{"sig":"${base64("sig")}"}]}}`;

  test("the statements", () => {
    expect(signStatement(digest).toString()).toBe(statement);
    const predicateType = "https://example.com/check/v1";
    expect(bundleStatement({ digest, predicateType, predicate: { a: 1 } }).toString()).toBe(
      `{"_type":"https://in-toto.io/Statement/v1","subject":[{"digest":{"sha256":"${hex}"}}],` +
        '"predicateType":"https://example.com/check/v1","predicate":{"a":1}}',
    );
  });

  test("the JSON, with 64-bit numbers as strings", () => {
    expect(writeBundle(bundle).toString()).toBe(text);
    expect(readBundle(Buffer.from(text))).toEqual(bundle);
  });

  test("numbers that are 0 may be absent, as protobuf leaves them out", () => {
    const short = text.replace('"logIndex":"3",', "").replace('{"logIndex":"7",', "{");
    expect(readBundle(Buffer.from(short)).logEntries[0]).toMatchObject({
      logIndex: 0,
      inclusionProof: { logIndex: 0 },
    });
  });

  test("another version, another content and unknown members are refused", () => {
    expect(() => readBundle(Buffer.from(text.replace("v0.3", "v0.9")))).toThrow(
      "are not supported",
    );
    expect(() => readBundle(Buffer.from(text.replace("dsseEnvelope", "messageSignature")))).toThrow(
      "has no DSSE envelope",
    );
    const both = text.replace('"dsseEnvelope":', '"messageSignature":{},"dsseEnvelope":');
    expect(() => readBundle(Buffer.from(both))).toThrow("must have only one of them");
    expect(() => readBundle(Buffer.from(text.replace("inclusionPromise", "x")))).toThrow(
      'unknown member "x"',
    );
    const signature = (members: string) => Buffer.from(text.replace('"sig":', `${members},"sig":`));
    expect(() => readBundle(signature('"x":1'))).toThrow('unknown member "x"');
    expect(() => readBundle(signature('"keyid":7'))).toThrow("keyid must be a string");
    expect(readBundle(signature('"keyid":"any"'))).toEqual(readBundle(Buffer.from(text)));
  });

  test("the manifest that refers to the image", () => {
    const subject = { mediaType: "application/vnd.oci.image.manifest.v1+json", size: 5, digest };
    const manifest = writeBundleManifest({
      subject,
      bundle: Buffer.from("B"),
      predicateType: "https://sigstore.dev/cosign/sign/v1",
      created: new Date("2026-03-01T12:00:00Z"),
    });
    const type = "application/vnd.dev.sigstore.bundle.v0.3+json";
    expect(manifest.toString()).toBe(
      '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",' +
        `"artifactType":"${type}","config":{"mediaType":"application/vnd.oci.empty.v1+json","size":2,` +
        '"digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",' +
        `"artifactType":"${type}"},"layers":[{"mediaType":"${type}","size":1,` +
        `"digest":"sha256:${sha256("B")}"}],"annotations":{` +
        '"dev.sigstore.bundle.content":"dsse-envelope",' +
        '"dev.sigstore.bundle.predicateType":"https://sigstore.dev/cosign/sign/v1",' +
        '"org.opencontainers.image.created":"2026-03-01T12:00:00Z"},' +
        `"subject":{"mediaType":"application/vnd.oci.image.manifest.v1+json","size":5,"digest":"${digest}"}}`,
    );
    expect(emptyConfig.toString()).toBe("{}");
  });
});
