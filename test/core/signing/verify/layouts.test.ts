import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyImage } from "../../../../src/core/signing/copy/copy-image";
import { formatRepository } from "../../../../src/core/signing/oci/reference/image-name";
import { ImageVerifier, verifyImage } from "../../../../src/core/signing/verify";
import { attest, sign } from "../sign/operations";
import { inTime, openBench } from "../sign/signing-bench";
import { clientWithLayouts, layoutKinds, newLayout } from "../oci/layout/layouts";
import { email, policyText } from "../provider/signing";

/** An image that is signed in each format and attested, copied to a layout, while nothing else runs any more. */
async function openLayout(kind: (typeof layoutKinds)[number]) {
  const bench = await openBench();
  const image = await bench.pushImage("verified");
  const person = bench.person(email);
  for (const format of ["legacy", "bundle"] as const) await sign(bench, person, image, { format });
  await attest(bench, person, image, { format: "bundle" });
  const layout = newLayout(kind);
  const client = clientWithLayouts(bench.registry);
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
    message: `the image ${name}:2 is not in the layout; use one of 1.4 (@${image.digest})`,
  });
});

describe("in a layout of another tool", () => {
  /** A layout whose image has other names in `index.json`, with a second image if there are names for it. */
  async function open(...named: readonly (string | undefined)[]) {
    const opened = await openLayout("oci:");
    const file = join(opened.layout.path, "index.json");
    const index = JSON.parse(readFileSync(file, "utf8")) as { manifests: Entry[] };
    const isImage = ({ digest }: Entry) => digest === opened.image.digest;
    const [image] = index.manifests.filter(isImage);
    const images = named.map((each) => ({
      ...image,
      annotations: each === undefined ? {} : { "org.opencontainers.image.ref.name": each },
    }));
    const others = index.manifests.filter((entry) => !isImage(entry));
    writeFileSync(file, JSON.stringify({ ...index, manifests: [...others, ...images] }));
    const verdictOf = (reference: string) =>
      verifyImage({
        image: `${opened.name}${reference}`,
        policy: opened.policy(),
        trustedRoot: opened.trustedRoot,
        layouts: true,
      });
    return { ...opened, verdictOf, file, index, isImage };
  }
  interface Entry {
    readonly digest: string;
  }

  test("the only image needs no name, whatever is attached to it", async () => {
    const { verdictOf, image, name } = await open(undefined);
    const expected = { accepted: true, image: `${name}@${image.digest}` };
    expect(await verdictOf("")).toMatchObject(expected);
    await expect(verdictOf(":1")).rejects.toMatchObject({
      code: "NO_IMAGE",
      message: `the image ${name}:1 is not in the layout; use one of @${image.digest}`,
    });
  });

  test("a name may be a whole image name", async () => {
    const { verdictOf } = await open("docker.io/library/app:1", "docker.io/library/app:2");
    expect(await verdictOf(":docker.io/library/app:1")).toMatchObject({ accepted: true });
    expect(await verdictOf("")).toMatchObject({ accepted: true });
  });

  test("several images are listed, and `latest` is taken", async () => {
    const { verdictOf, file, index, image, name, isImage } = await open("a");
    const other = index.manifests.find((entry) => !isImage(entry));
    const entry = (of: object | undefined, ref: string) => ({
      ...of,
      annotations: { "org.opencontainers.image.ref.name": ref },
    });
    const own = index.manifests.find(isImage);
    const rename = (...manifests: readonly object[]) =>
      writeFileSync(
        file,
        JSON.stringify({
          ...index,
          manifests: [...index.manifests.filter((each) => !isImage(each)), ...manifests],
        }),
      );
    rename(entry(own, "a"), entry(other, "b"));
    await expect(verdictOf("")).rejects.toMatchObject({
      code: "NO_IMAGE",
      message: expect.stringContaining(
        `has 2 images, and the reference has no name; use one of`,
      ) as string,
    });
    await expect(verdictOf("")).rejects.toMatchObject({
      message: expect.stringContaining(`a (@${image.digest})`) as string,
    });
    rename(entry(own, "latest"), entry(other, "b"));
    expect(await verdictOf("")).toMatchObject({ image: `${name}@${image.digest}` });
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
