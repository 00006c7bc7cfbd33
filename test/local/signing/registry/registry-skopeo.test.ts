import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onPath } from "../../../on-path";
import { openRegistry } from "./registry-client";

const run = promisify(execFile);

/** An image in a folder, in the layout of the image specification. */
async function writeLayout(folder: string): Promise<void> {
  const blobs = join(folder, "blobs", "sha256");
  await mkdir(blobs, { recursive: true });
  const put = async (mediaType: string, bytes: Buffer) => {
    const hex = createHash("sha256").update(bytes).digest("hex");
    await writeFile(join(blobs, hex), bytes);
    return { mediaType, digest: `sha256:${hex}`, size: bytes.byteLength };
  };
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  const layer = await put("application/vnd.oci.image.layer.v1.tar", Buffer.alloc(10_240));
  const config = await put(
    "application/vnd.oci.image.config.v1+json",
    json({
      architecture: "amd64",
      os: "linux",
      config: {},
      rootfs: { type: "layers", diff_ids: [layer.digest] },
    }),
  );
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = json({ schemaVersion: 2, mediaType, config, layers: [layer] });
  await writeFile(
    join(folder, "index.json"),
    json({ schemaVersion: 2, manifests: [await put(mediaType, manifest)] }),
  );
  await writeFile(join(folder, "oci-layout"), json({ imageLayoutVersion: "1.0.0" }));
}

const hasSkopeo = onPath("skopeo") !== undefined;

(hasSkopeo ? it : it.skip)("works with skopeo: push, copy and pull", async () => {
  const registry = await openRegistry();
  const folder = await mkdtemp(join(tmpdir(), "trivet-skopeo-"));
  const [source, target] = [join(folder, "source"), join(folder, "target")];
  await writeLayout(source);
  const copy = (from: string, to: string) =>
    run("skopeo", [
      "--insecure-policy",
      "copy",
      "--preserve-digests",
      "--src-tls-verify=false",
      "--dest-tls-verify=false",
      from,
      to,
    ]);
  await copy(`oci:${source}`, `docker://${registry.host}/lab/app:1`);
  await copy(`docker://${registry.host}/lab/app:1`, `docker://${registry.host}/lab/copy:1`);
  await copy(`docker://${registry.host}/lab/copy:1`, `oci:${target}`);
  const manifests = async (layout: string) =>
    /sha256:[0-9a-f]{64}/.exec(await readFile(join(layout, "index.json"), "utf8"))?.[0];
  expect(await manifests(target)).toBe(await manifests(source));
  const { stdout } = await run("skopeo", [
    "list-tags",
    "--tls-verify=false",
    `docker://${registry.host}/lab/copy`,
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ Tags: ["1"] });
  await rm(folder, { recursive: true, force: true });
});
