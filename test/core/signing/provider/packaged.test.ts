import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { startService } from "../../../../src/local/service/service";
import { createTerraformHarness, spawnProvider } from "../../../../src/core/provider-kit/testing";
import { signingProvider } from "../../../../src/core/signing/provider/declare";
import { sign } from "../../../../src/core/signing/sign/declare";
import { TufRepository } from "../sigstore/trust/tuf-repository";

const mediaType = "application/vnd.oci.image.manifest.v1+json";
const empty = { mediaType: "application/vnd.oci.empty.v1+json", size: 2, digest: digestOf("{}") };
const manifest = JSON.stringify({ schemaVersion: 2, mediaType, config: empty, layers: [] });
const digest = digestOf(manifest);

const folder = join(__dirname, "../../../../dist/providers/signing");

const claims = { iss: "https://issuer.example.org", aud: "sigstore", email: "ann@example.org" };
const token = [{ alg: "none" }, { ...claims, exp: 4_000_000_000 }, "signature"]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .join(".");

function digestOf(content: string): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

// V8 stores a file with any other character in twice the memory: a plan of one endpoint took a tenth longer.
test.each(["start.cjs", "calls.cjs"])("%s, which each process loads, has only ASCII", (file) => {
  const others = /[^\0-\x7f]+/g;
  expect(readFileSync(join(folder, file), "utf8").match(others)).toBeNull();
});

test("the packaged provider fetches files of the public instance, with the client in the package", async () => {
  const repository = new TufRepository();
  repository.publish({ targets: { "signing_config_rekor_v2.v0.2.json": "content" } });
  // A mirror of the public instance, and a registry with one image.
  const service = await startService((request, response) => {
    const path = (request.url ?? "").slice(1);
    const isImage = path === `v2/lab/app/manifests/${digest}`;
    const found = path === "v2/" ? "{}" : repository.files.get(path);
    const file = isImage ? manifest : found;
    const type = isImage ? { "content-type": mediaType } : {};
    response.writeHead(file === undefined ? 404 : 200, type).end(file);
  });
  const place = await mkdtemp(join(tmpdir(), "trivet-packaged-"));
  const executable = readdirSync(folder).find((name) => name.startsWith("terraform-provider-"));
  await writeFile(join(place, "root.json"), repository.root);
  const provider = await spawnProvider([join(folder, executable ?? "")], {
    TUF_MIRROR: service.url,
    TUF_ROOT_JSON: join(place, "root.json"),
    TUF_ROOT: join(place, "cache"),
    SIGSTORE_ID_TOKEN: token,
  });
  try {
    const terraform = createTerraformHarness(provider);
    expect(
      await terraform.configure(signingProvider, {
        useRekorV2: true,
        defaultSignatureFormat: "bundle",
      }),
    ).toEqual([]);
    const image = `${new URL(service.url).host}/lab/app@${digest}`;
    const { diagnostics } = await terraform.resource(sign).deploy({ image });
    expect(diagnostics).toEqual([
      expect.objectContaining({
        detail: expect.stringContaining("not a signing config: not JSON") as unknown,
      }),
    ]);
    const kept = await readdir(join(place, "cache"), { recursive: true });
    expect(kept.map((path) => basename(path))).toContain("signing_config_rekor_v2.v0.2.json");
  } finally {
    await provider.close();
    await service.close();
    await rm(place, { recursive: true });
  }
});
