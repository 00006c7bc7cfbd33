import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { copyImage } from "../../../../../src/core/signing/copy/copy-image";
import {
  formatRepository,
  type Repository,
} from "../../../../../src/core/signing/oci/reference/image-name";
import { verifyImage } from "../../../../../src/core/signing/verify";
import { onPath, skippedWithout } from "../../../../on-path";
import { email, keyless, policyText } from "../../provider/signing";
import { attest, sign } from "../../sign/operations";
import { inTime, openBench } from "../../sign/signing-bench";
import { clientWithLayouts, layoutKinds, newFolder, newLayout } from "./layouts";

const run = promisify(execFile);

const outside = ["oras", "skopeo", "crane", "cosign"] as const;
const missing = outside.filter((program) => onPath(program) === undefined);
skippedWithout(missing, "layouts are not tried with another tool");

const testWith = (program: (typeof outside)[number]) =>
  missing.includes(program) ? test.skip : test;

/** An image that is signed in both formats, and attested. */
async function openImage() {
  const bench = await openBench();
  const image = await bench.pushImage("mirrored");
  const person = bench.person(email);
  for (const format of ["legacy", "bundle"] as const) await sign(bench, person, image, { format });
  await attest(bench, person, image, { format: "bundle" });
  const trustedRoot = readFileSync(bench.local.files.trustedRoot, "utf8");
  const accepts = async (place: Repository, signatureFormat: "legacy" | "bundle") => {
    const authorities = [keyless(bench.local, { signatureFormat })];
    const policy = policyText(bench.local, { authorities });
    const reference = `${formatRepository(place)}@${image.digest}`;
    return (await verifyImage({ image: reference, policy, trustedRoot, layouts: true })).accepted;
  };
  /** The digest of what a layout has under a name. */
  const digestOf = async (reference: string) => {
    const policy = policyText(bench.local);
    const verdict = await verifyImage({ image: reference, policy, trustedRoot, layouts: true });
    return verdict.image.replace(/.*@/, "");
  };
  const copyTo = async (layout: Repository) => {
    const client = clientWithLayouts(bench.registry);
    await copyImage(image, layout, { client, context: inTime(), tags: ["1"] });
  };
  const name = `${formatRepository(image)}@${image.digest}`;
  return { image, name, registry: image.registry, accepts, digestOf, copyTo };
}

describe.each(layoutKinds)("our layout (%s)", (kind) => {
  testWith("oras")("oras finds the referrers, and copies them to a registry", async () => {
    const { image, registry, accepts, copyTo } = await openImage();
    const layout = newLayout(kind);
    await copyTo(layout);
    const discovered = await run("oras", [
      "discover",
      "--oci-layout",
      "--format=json",
      `${layout.path}:1`,
    ]);
    const { referrers } = JSON.parse(discovered.stdout) as { readonly referrers: unknown[] };
    expect(referrers).toHaveLength(2);
    const options = ["cp", "--from-oci-layout", "--to-plain-http"];
    const there = { registry, path: "by/oras" };
    const tag = `sha256-${image.digest.slice(7)}.sig`;
    await run("oras", [...options, "-r", `${layout.path}:1`, `${formatRepository(there)}:1`]);
    await run("oras", [...options, `${layout.path}:${tag}`, `${formatRepository(there)}:${tag}`]);
    expect(await accepts(there, "bundle")).toBe(true);
    expect(await accepts(there, "legacy")).toBe(true);
  });

  testWith("skopeo")("skopeo reads it by tag", async () => {
    const { image, copyTo } = await openImage();
    const layout = newLayout(kind);
    await copyTo(layout);
    const inspect = ["inspect", "--format", "{{.Digest}}", `${kind}${layout.path}:1`];
    expect((await run("skopeo", inspect)).stdout.trim()).toBe(image.digest);
  });
});

describe("a layout of another tool is verified", () => {
  testWith("oras")("of oras, with the bundles", async () => {
    const { name, accepts } = await openImage();
    const layout = newLayout();
    const to = ["--to-oci-layout", `${layout.path}:1`];
    await run("oras", ["cp", "-r", "--from-plain-http", name, ...to]);
    expect(await accepts(layout, "bundle")).toBe(true);
    const archive: Repository = { registry: "oci-archive:", path: join(newFolder(), "a.tar") };
    await run("tar", ["-cf", archive.path, "-C", layout.path, "."]);
    expect(await accepts(archive, "bundle")).toBe(true);
  });

  testWith("skopeo")("of skopeo, which copies signatures only by their tags", async () => {
    const { image, name, accepts } = await openImage();
    const layout = newLayout();
    const options = ["--insecure-policy", "copy", "--preserve-digests", "--src-tls-verify=false"];
    const tag = `sha256-${image.digest.slice(7)}.sig`;
    await run("skopeo", [...options, `docker://${name}`, `oci:${layout.path}:1`]);
    expect(await accepts(layout, "legacy")).toBe(false);
    const source = `docker://${formatRepository(image)}:${tag}`;
    await run("skopeo", [...options, source, `oci:${layout.path}:${tag}`]);
    expect(await accepts(layout, "legacy")).toBe(true);
    expect(await accepts(layout, "bundle")).toBe(false);
  });

  testWith("skopeo")("of skopeo, with a whole name", async () => {
    const { image, name, digestOf } = await openImage();
    const layout = `oci:${newLayout().path}`;
    const named = `${layout}:registry.example.org:5000/library/app:1`;
    const options = ["--insecure-policy", "copy", "--src-tls-verify=false", "--preserve-digests"];
    await run("skopeo", [...options, `docker://${name}`, named]);
    expect(await digestOf(named)).toBe(image.digest);
    expect(await digestOf(layout)).toBe(image.digest);
  });

  testWith("crane")("of crane, which copies no signatures", async () => {
    const { image, name, accepts, digestOf } = await openImage();
    const layout = newLayout();
    await run("crane", ["pull", "--insecure", "--format=oci", name, layout.path]);
    // crane gives the image no name.
    expect(await digestOf(`oci:${layout.path}`)).toBe(image.digest);
    expect(await accepts(layout, "bundle")).toBe(false);
    expect(await accepts(layout, "legacy")).toBe(false);
  });

  testWith("cosign")("of cosign, which saves legacy signatures and no bundles", async () => {
    const { image, name, accepts, digestOf } = await openImage();
    const layout = newLayout();
    await run("cosign", ["save", "--allow-http-registry", "--dir", layout.path, name]);
    expect(await digestOf(`oci:${layout.path}`)).toBe(image.digest);
    expect(await accepts(layout, "legacy")).toBe(true);
    expect(await accepts(layout, "bundle")).toBe(false);
  });
});
