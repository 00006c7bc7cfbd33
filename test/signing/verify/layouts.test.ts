import { readFileSync } from "node:fs";
import { join } from "node:path";
import { copyImage } from "../../../src/signing/copy/copy-image";
import { withLayouts } from "../../../src/signing/oci/layout/with-layouts";
import { formatRepository } from "../../../src/signing/oci/reference/repository";
import { ImageVerifier, verifyImage } from "../../../src/signing/verify";
import { attest, sign } from "../sign/operations";
import { inTime, openBench } from "../sign/signing-bench";
import { layoutKinds, newLayout } from "../oci/layout/layouts";
import { email, policyText } from "../provider/signing";

/** An image that is signed in each format and attested, copied to a layout, while nothing else runs any more. */
async function openLayout(kind: (typeof layoutKinds)[number]) {
  const bench = await openBench();
  const image = await bench.pushImage("verified");
  const person = bench.person(email);
  for (const format of ["legacy", "bundle"] as const) await sign(bench, person, image, { format });
  await attest(bench, person, image, { format: "bundle" });
  const layout = newLayout(kind);
  const client = withLayouts(bench.registry);
  await copyImage(image, layout, { client, context: inTime(), tags: ["1.4"] });
  const trustedRoot = readFileSync(bench.local.files.trustedRoot, "utf8");
  const policy = (spec: object = {}) => policyText(bench.local, spec);
  const name = formatRepository(layout);
  await bench.local.close();
  return { bench, image, layout, name, trustedRoot, policy };
}

test.each(layoutKinds)("an image in a layout is verified without the network: %s", async (kind) => {
  const { image, name, trustedRoot, policy } = await openLayout(kind);
  const request = { policy: policy(), trustedRoot, layouts: true };
  for (const reference of [`${name}:1.4`, `${name}@${image.digest}`]) {
    const verdict = await verifyImage({ ...request, image: reference });
    expect(verdict).toMatchObject({ accepted: true, image: `${name}@${image.digest}` });
  }
  await expect(verifyImage({ ...request, image: `${name}:2` })).rejects.toMatchObject({
    code: "NO_IMAGE",
    message: `the image ${name}:2 is not in the layout`,
  });
});

test.each(layoutKinds)("the tree of an image in a layout is read: %s", async (kind) => {
  const { image, name, trustedRoot } = await openLayout(kind);
  const verifier = new ImageVerifier({ trustedRoot, layouts: true });
  const tree = await verifier.tree({ image: `${name}:1.4` });
  await verifier.close();
  const item = (kindOf: string, format: string) => ({
    kind: kindOf,
    format,
    check: { result: "verified" },
  });
  expect(tree).toMatchObject({
    image: `${name}@${image.digest}`,
    notes: [],
    attached: [
      item("signature", "legacy"),
      item("signature", "bundle"),
      item("attestation", "bundle"),
    ],
  });
});

test("policies know an image in a layout by the name that is given for it", async () => {
  const { name, trustedRoot, policy } = await openLayout("oci:");
  const images = [{ glob: "registry.example.org/release/**" }];
  const request = { image: `${name}:1.4`, policy: policy({ images }), trustedRoot, layouts: true };
  const uncovered = await verifyImage(request);
  expect(uncovered).toMatchObject({ code: "NOT_COVERED" });
  expect(uncovered.text).toContain("applies to registry.example.org/release/**.");
  expect(uncovered.text).toContain("--name");
  const other = { ...request, name: "registry.example.org/other/app" };
  expect(await verifyImage(other)).toMatchObject({ code: "NOT_COVERED" });
  const known = { ...request, name: "registry.example.org/release/app:1.4" };
  expect(await verifyImage(known)).toMatchObject({ accepted: true });
  await expect(verifyImage({ ...request, name: "oci:elsewhere" })).rejects.toMatchObject({
    code: "INVALID_IMAGE",
  });
});

test("a layout is read only if the service allows it", async () => {
  const image = `oci:${join("/", "srv", "mirror")}:1`;
  const refused = verifyImage({ image, policy: "", trustedRoot: "{}" });
  await expect(refused).rejects.toMatchObject({ code: "INVALID_IMAGE" });
});
