import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startService } from "../../../../src/local/service/service";
import type { LocalSigning } from "../../../../src/local/signing/start-local-signing";
import { attest } from "../../../../src/core/signing/attest/declare";
import { sign } from "../../../../src/core/signing/sign/declare";
import { UNKNOWN } from "../../../../src/core/schema";
import { closeAfterTest } from "../../http/close-after-test";
import { details, summaries } from "../../provider-kit/server/protocol";
import type { Values } from "../../provider-kit/plan/planning";
import { temporaryFolder } from "../../../local/signing/local-services";
import { openBench, type SigningBench } from "../sign/signing-bench";
import { TufRepository } from "../sigstore/trust/tuf-repository";
import { apply, connect, keyless, make, plan, policyText, verifyImage } from "./signing";

const predicates = [{ type: "https://example.com/check/v1", json: "{}", files: [] }];

/** Settings without URLs: a signing config decides. */
const without = (changes: Values): Values => ({ fulcioUrl: null, rekorUrl: null, ...changes });

const bundlePolicy = (local: LocalSigning, more: object = {}) =>
  policyText(local, { authorities: [keyless(local, { signatureFormat: "bundle", ...more })] });

/** How many entries each version of the log has. */
async function entriesIn(bench: SigningBench): Promise<readonly [v1: number, v2: number]> {
  const response = await fetch(`${bench.urls.rekorUrl}/api/v2/checkpoint`);
  const [, size] = (await response.text()).split("\n");
  return [await bench.logSize(), Number(size)];
}

async function image(bench: SigningBench): Promise<string> {
  const { digest } = await bench.pushImage("one");
  return `${bench.local.registryHost}/lab/app@${digest}`;
}

describe("Rekor v2", () => {
  it.each<[string, (bench: SigningBench) => Values]>([
    [
      "a signing config",
      ({ local }) => without({ signingConfig: local.files.signingConfigRekorV2 }),
    ],
    [
      "use_rekor_v2 with the URLs",
      ({ local }) => ({ useRekorV2: true, timestampUrl: local.addresses.timestampAuthority }),
    ],
  ])("is used by bundles, as %s says", async (_, settings) => {
    const bench = await openBench();
    const { local, urls } = bench;
    const provider = await connect(local, {
      ...settings(bench),
      defaultSignatureFormat: "bundle",
    });
    const reference = await image(bench);
    const signed = await make(provider, sign, { image: reference });
    expect(signed.state).toMatchObject(urls);
    await make(provider, attest, { image: reference, predicates });
    expect(await entriesIn(bench)).toEqual([0, 2]);
    expect((await verifyImage(provider, reference, bundlePolicy(local))).summaries).toEqual([]);
    const attestations = [{ name: "check", predicateType: "https://example.com/check/v1" }];
    const both = bundlePolicy(local, { attestations });
    expect((await verifyImage(provider, reference, both)).summaries).toEqual([]);
    const next = await plan(provider, sign, { image: reference }, signed);
    expect([next.action, next.diagnostics]).toEqual(["no-op", []]);
  });

  it("is fetched with its trusted root from the public instance, here a mirror", async () => {
    const bench = await openBench();
    const { files } = bench.local;
    const repository = new TufRepository();
    repository.publish({
      targets: {
        "trusted_root.json": await readFile(files.trustedRoot, "utf8"),
        "signing_config_rekor_v2.v0.2.json": await readFile(files.signingConfigRekorV2, "utf8"),
      },
    });
    const mirror = await startService((request, response) => {
      const file = repository.files.get((request.url ?? "").slice(1));
      response.writeHead(file ? 200 : 404).end(file);
    });
    closeAfterTest(() => mirror.close());
    const folder = await temporaryFolder();
    await writeFile(join(folder, "root.json"), repository.root);
    const environment = {
      TUF_MIRROR: mirror.url,
      TUF_ROOT_JSON: join(folder, "root.json"),
      TUF_ROOT: join(folder, "cache"),
    };
    const settings = without({ useRekorV2: true, trustedRoot: null });
    const provider = await connect(
      bench.local,
      { ...settings, defaultSignatureFormat: "bundle" },
      environment,
    );
    const reference = await image(bench);
    const { state } = await make(provider, sign, { image: reference });
    expect(state).toMatchObject(bench.urls);
    expect(await entriesIn(bench)).toEqual([0, 1]);
    const policy = bundlePolicy(bench.local);
    expect((await verifyImage(provider, reference, policy)).summaries).toEqual([]);
  });

  it("is not used by legacy signatures, which a signing config may send to version 1", async () => {
    const bench = await openBench();
    const { local } = bench;
    const config = JSON.parse(await readFile(local.files.signingConfigRekorV2, "utf8")) as {
      readonly rekorTlogUrls: readonly object[];
    };
    const [v2] = config.rekorTlogUrls;
    const rekorTlogUrls = [v2, { ...v2, majorApiVersion: 1 }];
    const signingConfig = JSON.stringify({ ...config, rekorTlogUrls });
    const provider = await connect(local, without({ signingConfig }));
    const reference = await image(bench);
    await make(provider, sign, { image: reference, signatureFormat: "both" });
    expect(await entriesIn(bench)).toEqual([1, 1]);
    expect((await verifyImage(provider, reference, policyText(local))).summaries).toEqual([]);
    expect((await verifyImage(provider, reference, bundlePolicy(local))).summaries).toEqual([]);
  });

  it("is refused for legacy signatures, in words", async () => {
    const bench = await openBench();
    const { local } = bench;
    const reference = await image(bench);
    const alone = await connect(local, {
      useRekorV2: true,
      timestampUrl: local.addresses.timestampAuthority,
    });
    for (const signatureFormat of ["legacy", "both"]) {
      const { diagnostics } = await plan(alone, sign, { image: reference, signatureFormat });
      expect(summaries(diagnostics)).toEqual(["ERROR signature_format Rekor V2 Needs Bundles"]);
      expect(details(diagnostics)).toContain('Set signature_format to "bundle"');
    }
    const signingConfig = local.files.signingConfigRekorV2;
    const listed = await connect(local, without({ signingConfig }));
    const { diagnostics } = await apply(listed, sign, { image: reference });
    expect(summaries(diagnostics)).toEqual(["ERROR - Signing Config Cannot Be Used"]);
    expect(details(diagnostics)).toContain("no transparency log of v1 that is valid now");
    expect(await entriesIn(bench)).toEqual([0, 0]);
  });
});

describe("a signing config", () => {
  it("with version 1 of the log is followed too", async () => {
    const bench = await openBench();
    const { local } = bench;
    const provider = await connect(local, without({ signingConfig: local.files.signingConfig }));
    const reference = await image(bench);
    await make(provider, sign, { image: reference, signatureFormat: "both" });
    expect(await entriesIn(bench)).toEqual([2, 0]);
    const rfc3161 = bundlePolicy(local, { rfc3161timestamp: {} });
    for (const policy of [policyText(local), bundlePolicy(local), rfc3161]) {
      expect((await verifyImage(provider, reference, policy)).summaries).toEqual([]);
    }
  });

  it("leaves the URLs open while planning, and no difference afterwards", async () => {
    const bench = await openBench();
    const { signingConfig } = bench.local.files;
    const provider = await connect(bench.local, without({ signingConfig }));
    const reference = await image(bench);
    const { planned } = await plan(provider, sign, { image: reference });
    expect(planned).toMatchObject({ fulcioUrl: UNKNOWN, rekorUrl: UNKNOWN });
    const kept = await make(provider, sign, { image: reference });
    expect(kept.state).toMatchObject(bench.urls);
    const again = await plan(provider, sign, { image: reference }, kept);
    expect(again.action).toBe("no-op");
    const own = { image: reference, rekorUrl: bench.urls.rekorUrl };
    expect((await plan(provider, sign, own, kept)).action).toBe("no-op");
  });

  it.each([
    ["is not there", () => "/nowhere/signing_config.json", "it does not exist"],
    ["is another document", ({ files }: LocalSigning) => files.trustedRoot, "not a signing config"],
  ])("that %s is refused, and nothing is signed", async (_, path, problem) => {
    const bench = await openBench();
    const provider = await connect(bench.local, without({ signingConfig: path(bench.local) }));
    const { diagnostics } = await apply(provider, sign, { image: await image(bench) });
    expect(details(diagnostics)).toContain(problem);
    expect(await entriesIn(bench)).toEqual([0, 0]);
  });

  it("may be named in the environment", async () => {
    const bench = await openBench();
    const environment = { TRIVET_SIGNING_CONFIG: bench.local.files.signingConfigRekorV2 };
    const provider = await connect(bench.local, without({}), environment);
    const config = { image: await image(bench), signatureFormat: "bundle" };
    expect((await make(provider, sign, config)).state).toMatchObject(bench.urls);
    expect(await entriesIn(bench)).toEqual([0, 1]);
  });

  it("of the environment gives way to what the settings say about services", async () => {
    const bench = await openBench();
    const environment = { TRIVET_SIGNING_CONFIG: "/nowhere/signing_config.json" };
    const provider = await connect(bench.local, {}, environment);
    const config = { image: await image(bench), signatureFormat: "bundle" };
    expect((await make(provider, sign, config)).state).toMatchObject(bench.urls);
    expect(await entriesIn(bench)).toEqual([1, 0]);
  });
});
