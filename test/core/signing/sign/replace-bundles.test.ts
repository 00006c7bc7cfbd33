import { attest as attestResource } from "../../../../src/core/signing/attest/declare";
import { sign as signResource } from "../../../../src/core/signing/sign/declare";
import { annotation } from "../../../../src/core/signing/sigstore/format/manifest";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { details, summaries } from "../../provider-kit/server/protocol";
import { startFront, type FrontScript } from "../oci/registry/front";
import { referrersOf } from "../oci/registry/referrers-of";
import { openClient, openRegistry, pushImage, registryKinds } from "../oci/registry/registries";
import { apply, connect, refresh, remove } from "../provider/signing";
import { attachedTo } from "../sign/attached";
import { predicateType } from "../sign/operations";
import { inTime, openBench, type SigningBench } from "../sign/signing-bench";
import { signPredicateType } from "../../../../src/core/signing/sigstore/format/statement";

const codes = { 405: "UNSUPPORTED", 403: "DENIED", 400: "MANIFEST_INVALID" } as const;

/** A registry that refuses to delete any manifest. */
const refusing =
  (status: keyof typeof codes): FrontScript =>
  ({ method, url }) =>
    method === "DELETE" && url.includes("/manifests/")
      ? { status, body: JSON.stringify({ errors: [{ code: codes[status], message: "no" }] }) }
      : undefined;

async function open(status: keyof typeof codes, referrersApi: boolean) {
  const bench = await openBench({ referrersApi });
  const pushed = await bench.pushImage("kept");
  const front = await startFront(bench.local.addresses.registry, refusing(status));
  return stack(bench, { ...pushed, registry: front.host });
}

async function stack(bench: SigningBench, pushed: DigestReference, conflict = "REPLACE") {
  const image = `${pushed.registry}/${pushed.path}@${pushed.digest}`;
  const provider = await connect(bench.local);
  const common = { image, signatureFormat: "bundle", conflict };
  return {
    bench,
    bundles: async () =>
      (await attachedTo({ ...bench, repository: pushed }, pushed).bundleBytes()).length,
    /** As after a failure or a lost state: nothing is known of earlier runs. */
    sign: () => apply(provider, signResource, common),
    attest: (json: string) =>
      apply(provider, attestResource, { ...common, predicates: [{ type: predicateType, json }] }),
    refreshed: async (outcome: Awaited<ReturnType<typeof apply>>) => {
      const { state, private: privateState } = outcome;
      if (state === null) throw new Error("there is no state");
      return refresh(provider, signResource, { state, private: privateState });
    },
  };
}

describe.each([405, 403, 400] as const)("a registry that answers %s to a delete", (status) => {
  test("gets one bundle, however often it is replaced", async () => {
    const { sign, bundles, bench, refreshed } = await open(status, true);
    expect((await sign()).diagnostics).toEqual([]);
    for (let run = 0; run < 3; run++) {
      const outcome = await sign();
      expect(outcome.state).not.toBeNull();
      expect(summaries(outcome.diagnostics)).toEqual(["WARNING - Earlier Bundles Were Kept"]);
      expect(details(outcome.diagnostics)).toContain("is kept, and no new one is added");
      expect((await refreshed(outcome)).diagnostics).toEqual([]);
    }
    expect(await bundles()).toBe(1);
    expect(await bench.logSize()).toBe(1);
  });

  test("gets a new attestation beside the old one, and one of each kind", async () => {
    const { attest, bundles } = await open(status, true);
    expect((await attest('{"run":1}')).diagnostics).toEqual([]);
    for (let run = 0; run < 3; run++) {
      const { state, diagnostics } = await attest('{"run":2}');
      expect(state).not.toBeNull();
      expect(summaries(diagnostics)).toEqual(["WARNING - Earlier Bundles Were Kept"]);
      expect(details(diagnostics)).toMatch(
        /sha256:\w{64} of sha256:\w{64} are kept and still verify/,
      );
    }
    expect(await bundles()).toBe(2);
  });

  test("without a list of referrers, loses the entry of the old one", async () => {
    const { attest, bundles } = await open(status, false);
    for (let run = 0; run < 3; run++) {
      const { state, diagnostics } = await attest(`{"run":${run}}`);
      expect(state).not.toBeNull();
      expect(diagnostics).toEqual([]);
      expect(await bundles()).toBe(1);
    }
  });
});

test("an attestation with the label of a signature, as cosign 2.6.4 makes them, is not attested again", async () => {
  const bench = await openBench();
  const pushed = await bench.pushImage("labelled");
  const { attest, bundles } = await stack(bench, pushed, "SKIPSAME");
  expect((await attest('{"run":1}')).diagnostics).toEqual([]);
  const { registry, repository } = bench;
  const [made] = await referrersOf(registry, repository, pushed.digest);
  if (made === undefined) throw new Error("nothing was attested");
  const label = { [annotation.bundlePredicateType]: signPredicateType };
  const bytes = Buffer.from(JSON.stringify({ ...made.json, annotations: label }));
  await registry.manifests.put(repository, { mediaType: made.mediaType, bytes }, inTime());
  await remove(bench, made.digest);
  expect((await attest('{"run":1}')).diagnostics).toEqual([]);
  expect(await bundles()).toBe(1);
  expect(await bench.logSize()).toBe(1);
});

// By default, it does not delete. Skipped where docker-registry is not installed.
const hasDockerRegistry = registryKinds.includes("docker-registry");
(hasDockerRegistry ? test : test.skip)(
  "docker-registry without deletion loses the entry of the old one",
  async () => {
    const registry = await openRegistry("docker-registry", { deletes: false });
    const repository = { registry, path: "lab/app" };
    const { digest } = await pushImage(openClient(), repository, "kept");
    const { attest, bundles } = await stack(await openBench(), { ...repository, digest });
    for (let run = 0; run < 3; run++) {
      const { state, diagnostics } = await attest(`{"run":${run}}`);
      expect(state).not.toBeNull();
      expect(diagnostics).toEqual([]);
      expect(await bundles()).toBe(1);
    }
  },
);
