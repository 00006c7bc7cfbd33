import { rmSync } from "node:fs";
import { copy } from "../../../../src/core/signing/copy/declare";
import { sign } from "../../../../src/core/signing/sign/declare";
import { formatRepository } from "../../../../src/core/signing/oci/reference/image-name";
import { details, summaries } from "../../provider-kit/server/protocol";
import { layoutKinds, newLayout } from "../oci/layout/layouts";
import { openBench } from "../sign/signing-bench";
import { apply, connect, make, plan, policyText, refresh, verifyImage } from "../provider/signing";

async function open(kind: (typeof layoutKinds)[number] = "oci:") {
  const bench = await openBench();
  const image = await bench.pushImage("copied");
  const source = `${formatRepository(image)}@${image.digest}`;
  const layout = newLayout(kind);
  const config = { source, destination: `${kind}${layout.path}`, tags: ["1.4"] };
  const provider = await connect(bench.local);
  return { bench, image, layout, config, provider };
}

test.each(layoutKinds)("an image is copied to a layout and back: %s", async (kind) => {
  const { bench, image, config, provider } = await open(kind);
  for (const signatureFormat of ["legacy", "bundle"]) {
    await make(provider, sign, { image: config.source, signatureFormat });
  }
  const kept = await make(provider, copy, config);
  const copiedRef = `${config.destination}@${image.digest}`;
  expect(kept.state).toMatchObject({ ...config, id: copiedRef, copiedRef });
  expect(await refresh(provider, copy, kept)).toMatchObject({ state: kept.state });
  expect((await plan(provider, copy, config, kept)).planned).toEqual(kept.state);

  const there = await verifyImage(provider, copiedRef, policyText(bench.local));
  expect(there.state).toMatchObject({ verifiedRef: copiedRef });
  const destination = `${bench.local.registryHost}/back/app`;
  const back = await make(provider, copy, { source: copiedRef, destination });
  const verified = await verifyImage(
    provider,
    String(back.state["copiedRef"]),
    policyText(bench.local),
  );
  expect(verified.summaries).toEqual([]);
});

test("a layout that was removed, or lost its tag, is noticed", async () => {
  const { layout, config, provider } = await open();
  const kept = await make(provider, copy, config);
  await make(provider, copy, { ...config, source: await another(), tags: ["1.4"] });
  expect((await refresh(provider, copy, kept)).state).toMatchObject({ tags: [] });
  rmSync(layout.path, { recursive: true });
  expect((await refresh(provider, copy, kept)).state).toBeNull();

  async function another(): Promise<string> {
    const bench = await openBench();
    const image = await bench.pushImage("another");
    return `${formatRepository(image)}@${image.digest}`;
  }
});

test("a layout cannot be signed, and the error says what can", async () => {
  const { image, config, provider } = await open();
  const { diagnostics } = await apply(provider, sign, {
    image: `${config.destination}@${image.digest}`,
  });
  expect(summaries(diagnostics)[0]).toMatch(/^ERROR/);
  expect(details(diagnostics)).toContain(
    "must be in a registry: an image layout on this machine can only be copied and verified",
  );
});
