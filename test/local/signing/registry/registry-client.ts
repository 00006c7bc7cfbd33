import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRegistry } from "./start-registry";

type Settings = Omit<Parameters<typeof startRegistry>[0], "folder">;

export const imageType = "application/vnd.oci.image.manifest.v1+json";
export const indexType = "application/vnd.oci.image.index.v1+json";

export function digestOf(bytes: Uint8Array, algorithm = "sha256"): string {
  return `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
}

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of opened.splice(0)) await end();
});

/** A registry until the end of the test, and the few calls that tests make again and again. */
export async function openRegistry(settings: Settings = {}, kept?: string) {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), "trivet-registry-")));
  const service = await startRegistry({ ...settings, folder });
  opened.push(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const call = (method: string, path: string, body?: Uint8Array | string, headers = {}) =>
    fetch(new URL(path, service.url), {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
    });
  const pushBlob = async (repository: string, bytes: Uint8Array, algorithm?: string) => {
    const digest = digestOf(bytes, algorithm);
    const path = `/v2/${repository}/blobs/uploads/?digest=${digest}`;
    const response = await call("POST", path, bytes);
    if (response.status !== 201) throw new Error(`push: ${response.status}`);
    return { mediaType: "application/octet-stream", digest, size: bytes.byteLength };
  };
  const pushManifest = (
    repository: string,
    reference: string,
    value: unknown,
    mediaType = imageType,
  ) => {
    const bytes = Buffer.from(JSON.stringify(value));
    const path = `/v2/${repository}/manifests/${reference}`;
    return call("PUT", path, bytes, { "content-type": mediaType });
  };
  /** An image of one layer; returns its manifest and digest. */
  const pushImage = async (repository: string, tag: string, text: string, extra = {}) => {
    const config = await pushBlob(repository, Buffer.from("{}"));
    const layer = await pushBlob(repository, Buffer.from(text));
    const manifest = { schemaVersion: 2, mediaType: imageType, config, layers: [layer], ...extra };
    const response = await pushManifest(repository, tag, manifest);
    const bytes = Buffer.from(JSON.stringify(manifest));
    return { response, manifest, digest: digestOf(bytes), size: bytes.byteLength, layer };
  };
  const errorCode = async (response: Response) => {
    const body: unknown = await response.json();
    return `${response.status} ${/"code":"(\w+)"/.exec(JSON.stringify(body))?.[1] ?? ""}`;
  };
  return {
    ...service,
    folder,
    call,
    pushBlob,
    pushManifest,
    pushImage,
    errorCode,
  };
}

export type TestRegistry = Awaited<ReturnType<typeof openRegistry>>;
