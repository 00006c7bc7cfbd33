import { copy } from "../../../../src/core/signing/copy/declare";
import { sign } from "../../../../src/core/signing/sign/declare";
import { formatRepository } from "../../../../src/core/signing/oci/reference/image-name";
import { details, summaries } from "../../provider-kit/server/protocol";
import { inTime, openBench } from "../sign/signing-bench";
import {
  apply,
  connect,
  make,
  plan,
  policyText,
  refresh,
  remove,
  verifyImage,
} from "../provider/signing";

async function open() {
  const bench = await openBench();
  const image = await bench.pushImage("copied");
  const mine = { registry: bench.local.registryHost, path: "mine/app" };
  const source = `${formatRepository(image)}@${image.digest}`;
  const config = { source, destination: formatRepository(mine) };
  const copiedRef = `${config.destination}@${image.digest}`;
  return { bench, image, mine, config, copiedRef, provider: await connect(bench.local) };
}

test("an image is copied by its digest, and the next plan is empty", async () => {
  const { bench, image, mine, config, copiedRef, provider } = await open();
  const kept = await make(provider, copy, config);
  expect(kept.state).toEqual({
    ...config,
    tags: null,
    platforms: null,
    timeouts: null,
    id: copiedRef,
    copiedRef,
  });
  const there = await bench.registry.manifests.get(mine, image.digest, inTime());
  expect(there?.digest).toBe(image.digest);
  const tags = await fetch(`${bench.local.addresses.registry}/v2/mine/app/tags/list`);
  expect(JSON.stringify(await tags.json())).not.toContain("sha256-");
  expect(await refresh(provider, copy, kept)).toMatchObject({ state: kept.state });
  expect((await plan(provider, copy, config, kept)).planned).toEqual(kept.state);
  expect(provider.log.join("")).toMatch(/sentBytes/);
});

test("a removed copy is detected and created again", async () => {
  const { bench, image, mine, config, provider } = await open();
  const kept = await make(provider, copy, config);
  await remove({ local: bench.local, repository: mine }, image.digest);
  expect((await refresh(provider, copy, kept)).state).toBeNull();
  await make(provider, copy, config);
  expect(await bench.registry.manifests.head(mine, image.digest, inTime())).toBeDefined();
});

test("signatures are copied too, and verify at the destination", async () => {
  const { bench, config, copiedRef, provider } = await open();
  for (const signatureFormat of ["legacy", "bundle"]) {
    await make(provider, sign, { image: config.source, signatureFormat });
  }
  await make(provider, copy, config);
  const { state, summaries: found } = await verifyImage(
    provider,
    copiedRef,
    policyText(bench.local),
  );
  expect(found).toEqual([]);
  expect(state).toMatchObject({ verifiedRef: copiedRef });
});

test("a missing image cannot be copied", async () => {
  const { image, config, provider } = await open();
  const source = config.source.replace(image.digest, `sha256:${"0".repeat(64)}`);
  const { state, diagnostics } = await apply(provider, copy, { ...config, source });
  expect(state).toBeNull();
  expect(summaries(diagnostics)).toEqual(["ERROR - Image Not Found"]);
  expect(details(diagnostics)).toContain(source);
});
