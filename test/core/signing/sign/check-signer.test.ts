import { Certificate } from "../../../../src/core/signing/sigstore/certificate/certificate";
import { readTrustedRoot } from "../../../../src/core/signing/sigstore/trust/trusted-root";
import type { SigningServices } from "../../../../src/core/signing/provider/services";
import { attachedTo } from "../sign/attached";
import { attest, sign } from "../sign/operations";
import { openBench, type SigningBench } from "../sign/signing-bench";
import { Authorities, type LeafProps } from "../sigstore/verification/authorities";

const ada = "ada@example.com";
const world = new Authorities();
const minuteMs = 60_000;

/** Services whose certificate authority is the world's, and trusted. */
function servicesBy(
  bench: SigningBench,
  props: LeafProps,
  changes: Partial<SigningServices> = {},
): Partial<SigningServices> {
  const { key, der, pem } = world.signer({
    notBefore: new Date(Date.now() - minuteMs),
    notAfter: new Date(Date.now() + 10 * minuteMs),
    ...props,
  });
  const { certificateAuthorities, certificateLogs } = readTrustedRoot(
    JSON.stringify(world.trustedRoot()),
  );
  const signer = {
    leaf: new Certificate(der),
    leafPem: pem,
    chainPem: [world.chainPem],
    privateKey: key.privateKey,
  };
  const trust = { ...bench.trust, certificateAuthorities, certificateLogs };
  return {
    signer: () => Promise.resolve(signer),
    trust: () => Promise.resolve(trust),
    ...changes,
  };
}

describe.each(["legacy", "bundle"] as const)("nothing is logged or written: %s,", (format) => {
  test.each<[string, (bench: SigningBench) => Promise<Partial<SigningServices>>, string]>([
    [
      "with a certificate of an authority whom nobody trusts",
      async () => {
        const other = await openBench();
        const { signer } = other.person(ada).services;
        return { signer: (_url, context) => signer(other.urls.fulcioUrl, context) };
      },
      "the certificate has no chain to a certificate authority that was trusted at that time",
    ],
    [
      "with a certificate without an SCT",
      (bench) => Promise.resolve(servicesBy(bench, { withoutSct: true })),
      "the certificate contains no timestamp of a certificate transparency log",
    ],
    [
      "with an SCT of a log whom nobody trusts",
      (bench) => Promise.resolve(servicesBy(bench, { sctKey: world.logKey })),
      "is not from a trusted certificate transparency log",
    ],
    [
      "with a certificate that is not for signing code",
      (bench) => Promise.resolve(servicesBy(bench, { usage: [] })),
      "the signer's certificate is not for digital signatures",
    ],
    [
      "with a timestamp of an authority whom nobody trusts",
      async () => ({ timestampUrl: (await openBench()).local.addresses.timestampAuthority }),
      "timestamp",
    ],
  ])("%s", async (_, changes, problem) => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const person = bench.person(ada, await changes(bench));
    for (const operation of [sign, attest]) {
      const running = operation(bench, person, image, { format });
      await expect(running).rejects.toMatchObject({
        code: "UNVERIFIED",
        message: expect.stringContaining(problem) as string,
      });
    }
    expect(await bench.logSize()).toBe(0);
    const attached = attachedTo(bench, image);
    expect(await attached.tagged(".sig")).toBeUndefined();
    expect(await attached.tagged(".att")).toBeUndefined();
    expect(await attached.bundleBytes()).toEqual([]);
  });

  test("unless the settings say that an SCT is not needed", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const services = servicesBy(bench, { withoutSct: true }, { certificateLog: "ignored" });
    const person = bench.person(ada, services);
    for (const operation of [sign, attest]) await operation(bench, person, image, { format });
    expect(await bench.logSize()).toBe(2);
    // What is there already is recognized by the same rule.
    for (const operation of [sign, attest]) await operation(bench, person, image, { format });
    expect(await bench.logSize()).toBe(2);
  });
});

test("a certificate that begins a little later, by the authority's clock, is used", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  await sign(bench, bench.person(ada, { now: () => new Date(Date.now() - 5 * minuteMs) }), image);
  expect(await bench.logSize()).toBe(1);
});
