import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../../../../src/core/json/plain-json";
import { readStrings, isDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import {
  annotation,
  type LegacyLayer,
} from "../../../../src/core/signing/sigstore/format/manifest";
import { readTrustedRoot } from "../../../../src/core/signing/sigstore/trust/trusted-root";
import { checkTimestamp } from "../../../../src/core/signing/sigstore/verification/timestamp-check";
import type { VerificationRules } from "../../../../src/core/signing/sigstore/verification/verification";
import { attachedTo } from "../sign/attached";
import { attest } from "../sign/operations";
import { inTime, openBench } from "../sign/signing-bench";
import { readEnvelope } from "../../../../src/core/signing/sigstore/format/statement";
import { annotationsOf, attachedLayers } from "../../../../src/core/signing/sign/attached-layers";
import { verifyAttestationLayer } from "../sigstore/verification/artefacts";

const anything = { contains: { source: "", isFoundIn: () => true } };
const folder = join(__dirname, "fixtures");

const rulesFor = (
  trust: VerificationRules["trust"],
  time: VerificationRules["time"],
): VerificationRules => ({
  trust,
  time,
  signer: { identities: [{ subject: anything, issuer: anything }] },
});

async function readFixture(name: string) {
  const value: unknown = JSON.parse(await readFile(join(folder, name), "utf8"));
  if (!isObject(value)) throw new Error("not an object");
  const { mediaType, blob, annotations, digest } = value;
  if (typeof mediaType !== "string" || typeof blob !== "string") throw new Error("no layer");
  if (typeof digest !== "string" || !isDigest(digest)) throw new Error("no digest");
  const layer: LegacyLayer = {
    mediaType,
    blob: Buffer.from(blob, "base64"),
    annotations: readStrings(annotations) ?? {},
  };
  return { layer, digest };
}

function stampOf(annotations: LegacyLayer["annotations"]): Buffer {
  const value: unknown = JSON.parse(annotations[annotation.timestamp] ?? "null");
  if (!isObject(value)) throw new Error("no timestamp");
  return Buffer.from(String(value["SignedRFC3161Timestamp"]), "base64");
}

describe("an attestation with a timestamp", () => {
  test.each([
    // What each of them stamps: version 2 the whole envelope, version 3 the signature in it.
    ["cosign-2.6.4", "envelope"],
    ["cosign-3.1.2", "signature"],
  ] as const)("that %s wrote is verified", async (maker, stamped) => {
    const { layer, digest } = await readFixture(`attested-by-${maker}.json`);
    const trust = readTrustedRoot(await readFile(join(folder, "trusted-root.json")));
    for (const time of ["log", "log-and-timestamp", "timestamp"] as const) {
      expect(verifyAttestationLayer(layer, digest, rulesFor(trust, time))).toMatchObject({
        signer: { subject: "dev@example.com" },
        statement: { predicate: { passed: true } },
      });
    }
    const { signature } = readEnvelope(layer.blob);
    const content = stamped === "envelope" ? layer.blob : signature;
    const authorities = trust.timestampAuthorities;
    expect(checkTimestamp(stampOf(layer.annotations), [content], authorities)).toHaveProperty(
      "time",
    );
  });

  test.each(["intoto", "dsse"] as const)(
    "that we write is stamped as a whole, as cosign verifies it: %s",
    async (entryType) => {
      const bench = await openBench();
      const image = await bench.pushImage("stamped");
      const timestampUrl = bench.local.addresses.timestampAuthority;
      await attest(bench, bench.person("dev@example.com", { timestampUrl }), image, { entryType });
      const [layer = {}] = attachedLayers(await attachedTo(bench, image).tagged(".att"), ".att");
      const { digest, size } = layer;
      if (typeof digest !== "string" || !isDigest(digest)) throw new Error("no digest");
      const blob = await bench.registry.blobs.get(
        bench.repository,
        { digest, size: Number(size) },
        inTime(),
      );
      const found = {
        mediaType: String(layer["mediaType"]),
        blob,
        annotations: annotationsOf(layer),
      };
      const authorities = bench.trust.timestampAuthorities;
      const stamp = stampOf(found.annotations);
      expect(checkTimestamp(stamp, [blob], authorities)).toHaveProperty("time");
      const { signature } = readEnvelope(blob);
      expect(() => checkTimestamp(stamp, [signature], authorities)).toThrow("other content");
      const rules = rulesFor(bench.trust, "log-and-timestamp");
      expect(verifyAttestationLayer(found, image.digest, rules)).toHaveProperty("signer");
    },
  );

  test("of the envelope of something else is refused", async () => {
    const { layer, digest } = await readFixture("attested-by-cosign-2.6.4.json");
    const other = await readFixture("attested-by-cosign-3.1.2.json");
    const trust = readTrustedRoot(await readFile(join(folder, "trusted-root.json")));
    const stamp = other.layer.annotations[annotation.timestamp] ?? "";
    const moved = {
      ...layer,
      annotations: { ...layer.annotations, [annotation.timestamp]: stamp },
    };
    for (const time of ["log", "log-and-timestamp"] as const) {
      expect(verifyAttestationLayer(moved, digest, rulesFor(trust, time))).toMatchObject({
        code: "TIMESTAMP",
        problem: "the timestamp is for other content",
      });
    }
  });
});
