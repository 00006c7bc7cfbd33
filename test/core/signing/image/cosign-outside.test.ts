import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { copyImage } from "../../../../src/core/signing/copy/copy-image";
import type { QuirkName } from "../../../../src/local/signing/registry/quirks";
import { layerArtifacts } from "../../../../src/core/signing/sigstore/format/manifest";
import { verifyImage } from "../../../../src/core/signing/verify";
import { skippedWithout } from "../../../on-path";
import { findCosign } from "../../../local/signing/outside-cosign";
import { temporaryFolder } from "../../../local/signing/local-services";
import { clientWithLayouts, newLayout } from "../oci/layout/layouts";
import { policyText } from "../provider/signing";
import { inTime, openBench } from "../sign/signing-bench";
import { nameOf } from "../tree/trees";

const run = promisify(execFile);
const cosign = findCosign().find(({ major }) => major === 3);
skippedWithout(cosign === undefined ? ["cosign 3"] : [], "nothing is signed in its mode oci-1-1");

(cosign === undefined ? test.skip : test).each<readonly [string, readonly QuirkName[]]>([
  ["with the referrers API", []],
  ["without it", ["no-referrers-api"]],
])("what cosign signs in its mode oci-1-1 is verified: %s", async (_, quirks) => {
  const bench = await openBench({ quirks });
  const image = await bench.pushImage("by cosign");
  const folder = await temporaryFolder();
  const env = { ...process.env, COSIGN_PASSWORD: "", HOME: folder, COSIGN_EXPERIMENTAL: "1" };
  const options = { cwd: folder, env };
  const path = cosign?.path ?? "";
  await run(path, ["generate-key-pair"], options);
  const mode = ["--registry-referrers-mode", "oci-1-1", "--new-bundle-format=false"];
  const quiet = ["--yes", "--use-signing-config=false", "--tlog-upload=false"];
  await run(path, ["sign", ...quiet, ...mode, "--key", "cosign.key", nameOf(image)], options);

  const { registry, repository } = bench;
  const { referrers } = await registry.referrers.list(repository, image.digest, inTime());
  expect(referrers).toMatchObject([{ artifactType: layerArtifacts.signature }]);
  const data = readFileSync(join(folder, "cosign.pub"), "utf8");
  const policy = policyText(bench.local, { authorities: [{ name: "key", key: { data } }] });
  const trustedRoot = readFileSync(bench.local.files.trustedRoot, "utf8");
  const request = { policy, trustedRoot, layouts: true };
  expect(await verifyImage({ ...request, image: nameOf(image) })).toMatchObject({ accepted: true });

  const layout = newLayout("oci:");
  const client = clientWithLayouts(registry);
  await copyImage(image, layout, { client, context: inTime() });
  const copied = `oci:${layout.path}`;
  expect(await verifyImage({ ...request, image: copied })).toMatchObject({ accepted: true });
});
