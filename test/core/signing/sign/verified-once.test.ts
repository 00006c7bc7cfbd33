import crypto, { type KeyObject, verify } from "node:crypto";
import type { SigningServices } from "../../../../src/core/signing/provider/services";
import { attest, sign } from "../sign/operations";
import { inTime, openBench, type SigningBench } from "../sign/signing-bench";

// Kept before it is replaced.
const realVerify: (...given: Parameters<typeof verify>) => boolean = verify;

/** How often the client checked each signature, by the key that made it. The local services do not count. */
async function checksDuring(work: () => Promise<unknown>) {
  const checks: { readonly key: KeyObject; readonly signature: string }[] = [];
  const replaced = jest
    .spyOn(crypto, "verify")
    .mockImplementation((...given: Parameters<typeof realVerify>) => {
      const [, , key, signature] = given;
      const isClient = new Error().stack?.includes("/src/core/signing/sigstore/") === true;
      if (isClient && key instanceof crypto.KeyObject && ArrayBuffer.isView(signature)) {
        const bytes = new Uint8Array(signature.buffer, signature.byteOffset, signature.byteLength);
        checks.push({ key, signature: Buffer.from(bytes).toString("hex") });
      }
      return realVerify(...given);
    });
  try {
    await work();
  } finally {
    replaced.mockRestore();
  }
  return (...keys: readonly KeyObject[]): readonly number[] => {
    const counts = new Map<string, number>();
    for (const { key, signature } of checks) {
      if (keys.some((each) => each.equals(key))) {
        counts.set(signature, (counts.get(signature) ?? 0) + 1);
      }
    }
    return [...counts.values()];
  };
}

const evidence: Readonly<Record<string, (bench: SigningBench) => Partial<SigningServices>>> = {
  "a log entry": () => ({}),
  "a log entry and a timestamp": ({ local }) => ({
    timestampUrl: local.addresses.timestampAuthority,
  }),
  "bundles in Rekor v2": ({ local, urls }) => ({
    bundleServices: {
      logs: [{ url: urls.rekorUrl, version: 2 }],
      timestampUrls: [local.addresses.timestampAuthority],
    },
  }),
};

const rows = [
  { verb: "sign", operation: sign },
  { verb: "attest", operation: attest },
].flatMap((each) =>
  Object.entries(evidence).flatMap(([name, services]) =>
    (["legacy", "bundle", "both"] as const).map((format) => ({ ...each, name, services, format })),
  ),
);

describe("before it is written, each new signature is verified once", () => {
  test.each(rows)("$verb, $format, $name", async ({ operation, services, format }) => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const person = bench.person("dev@example.com", services(bench));
    const { leaf } = await person.services.signer(bench.urls.fulcioUrl, inTime());
    const counts = await checksDuring(() => operation(bench, person, image, { format }));
    const made = format === "both" ? 2 : 1;
    expect(counts(leaf.publicKey)).toEqual(Array(made).fill(1));
    // The log's promise and its checkpoint.
    const ofLogs = counts(...bench.trust.transparencyLogs.map(({ publicKey }) => publicKey));
    expect(ofLogs.length).toBeGreaterThan(0);
    expect(new Set(ofLogs)).toEqual(new Set([1]));
    // A timestamp is checked once more before the log, whose entries cannot be removed.
    const stamping = bench.trust.timestampAuthorities.flatMap(({ anchors, intermediates }) =>
      [...anchors, ...intermediates].map(({ publicKey }) => publicKey),
    );
    expect(Math.max(0, ...counts(...stamping))).toBeLessThanOrEqual(2 * made);
  });
});
