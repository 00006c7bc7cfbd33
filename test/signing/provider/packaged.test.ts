import { readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as publicInstance from "../../../src/signing/sigstore/trust/public-instance";
import { startService } from "../../../src/local-service/service";
import { TufRepository } from "../sigstore/trust/tuf-repository";

type PublicInstance = typeof publicInstance;

const folder = join(__dirname, "../../../dist/providers/signing");

/** The chunk of the packaged provider that was bundled from a file. */
function chunk(name: string): string {
  const found = readdirSync(folder).find((file) => file.startsWith(`${name}-`));
  if (found === undefined) throw new Error(`the packaged provider has no chunk ${name}`);
  return join(folder, found);
}

test("the packaged provider fetches files of the public instance, with the client in the package", async () => {
  const repository = new TufRepository();
  repository.publish({ targets: { "trusted_root.json": "content" } });
  const mirror = await startService((request, response) => {
    const file = repository.files.get((request.url ?? "").slice(1));
    response.writeHead(file ? 200 : 404).end(file);
  });
  const place = await mkdtemp(join(tmpdir(), "trivet-packaged-"));
  try {
    await writeFile(join(place, "root.json"), repository.root);
    const { publicInstanceTarget } = jest.requireActual<PublicInstance>(chunk("public-instance"));
    const props = {
      mirrorUrl: mirror.url,
      rootPath: join(place, "root.json"),
      cacheFolder: join(place, "cache"),
      signal: new AbortController().signal,
    };
    expect(await publicInstanceTarget("trusted_root.json", props)).toBe("content");
  } finally {
    await mirror.close();
    await rm(place, { recursive: true });
  }
});
