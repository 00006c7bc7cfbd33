import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const imageModule = join(__dirname, "..", "..", "scripts", "demo", "signing", "image.mjs");

interface Packed {
  readonly manifest: string;
  readonly digest: string;
  /** In base64. */
  readonly blobs: readonly string[];
}

/** Scripts are ES modules, which jest does not load. */
function packed(files: Readonly<Record<string, string>>): Packed {
  const program = `
    import { imageOfFiles } from ${JSON.stringify(imageModule)};
    const files = Object.entries(${JSON.stringify(files)});
    const image = await imageOfFiles(files.map(([path, text]) => ({ path, content: Buffer.from(text) })));
    console.log(JSON.stringify({
      manifest: String(image.manifest),
      digest: image.digest,
      blobs: image.blobs.map((blob) => blob.toString("base64")),
    }));`;
  const answer = execFileSync(process.execPath, ["--input-type=module", "--eval", program]);
  return JSON.parse(String(answer)) as Packed;
}

const digestOf = (bytes: Buffer | string): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

test("the demo's image names its configuration and its layer by their digests", () => {
  const { manifest, digest, blobs } = packed({ "a.txt": "one" });
  const [config, layer] = blobs.map((blob) => Buffer.from(blob, "base64"));
  if (config === undefined || layer === undefined) throw new Error("a blob is missing");
  expect(digest).toBe(digestOf(manifest));
  expect(JSON.parse(manifest)).toMatchObject({
    schemaVersion: 2,
    config: { digest: digestOf(config), size: config.length },
    layers: [{ digest: digestOf(layer), size: layer.length }],
  });
  expect(JSON.parse(String(config))).toMatchObject({
    os: "linux",
    rootfs: { type: "layers", diff_ids: [digestOf(gunzipSync(layer))] },
  });
});

test("tar reads the layer of the demo's image", () => {
  const long = "x".repeat(1000);
  const deep = `${"folder/".repeat(20)}long.txt`;
  const { blobs } = packed({ "a.txt": "one", "empty.txt": "", [deep]: long });
  const input = gunzipSync(Buffer.from(blobs[1] ?? "", "base64"));
  const tar = (...args: string[]) => String(execFileSync("tar", args, { input }));
  expect(tar("--list")).toBe(
    ["a.txt", "empty.txt", deep].map((name) => `usr/lib/trivet/${name}\n`).join(""),
  );
  expect(tar("--extract", "--to-stdout")).toBe(`one${long}`);
});

test("the same files produce the same image", () => {
  expect(packed({ "a.txt": "one" })).toEqual(packed({ "a.txt": "one" }));
});
