// @ts-check
import { digestOf } from "./image.mjs";

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

/**
 * One repository of a registry, accessed without any code of the provider.
 *
 * @typedef {ReturnType<typeof repository>} Repository
 *
 * @param {string} host
 * @param {string} path
 */
export function repository(host, path) {
  const base = `http://${host}/v2/${path}`;

  /**
   * @param {string} url
   * @param {RequestInit} [request]
   */
  async function call(url, request = {}) {
    const response = await globalThis.fetch(url, request);
    if (response.ok) return response;
    const { method = "GET" } = request;
    throw new Error(`the registry responded with status ${response.status} to ${method} ${url}`);
  }

  /** @param {Buffer} bytes */
  async function pushBlob(bytes) {
    const begun = await call(`${base}/blobs/uploads/`, { method: "POST" });
    await begun.arrayBuffer();
    const place = new URL(begun.headers.get("location") ?? "", `http://${host}`);
    place.searchParams.set("digest", digestOf(bytes));
    const headers = { "content-type": "application/octet-stream" };
    const body = new Uint8Array(bytes);
    await (await call(place.href, { method: "PUT", headers, body })).arrayBuffer();
  }

  /** @param {string} reference a digest or a tag */
  async function find(reference) {
    const response = await globalThis.fetch(`${base}/manifests/${reference}`, {
      headers: { accept: MANIFEST },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status === 404) return undefined;
    if (!response.ok)
      throw new Error(`the registry responded with status ${response.status} about ${reference}`);
    return { bytes, digest: digestOf(bytes), json: JSON.parse(bytes.toString()) };
  }

  /**
   * @param {Buffer} bytes
   * @param {string} reference
   */
  async function putManifest(bytes, reference) {
    const headers = { "content-type": MANIFEST };
    const body = new Uint8Array(bytes);
    const url = `${base}/manifests/${reference}`;
    await (await call(url, { method: "PUT", headers, body })).arrayBuffer();
  }

  return {
    /** The prefix of image references. */
    name: `${host}/${path}`,
    find,
    putManifest,

    /** @param {import("./image.mjs").Image} image */
    async push({ blobs, manifest, digest }) {
      for (const blob of blobs) await pushBlob(blob);
      await putManifest(manifest, digest);
    },

    /** @param {string} reference */
    async remove(reference) {
      await (await call(`${base}/manifests/${reference}`, { method: "DELETE" })).arrayBuffer();
    },

    /** @param {string} digest */
    async blob(digest) {
      const bytes = Buffer.from(await (await call(`${base}/blobs/${digest}`)).arrayBuffer());
      if (digestOf(bytes) !== digest)
        throw new Error(`the registry returned wrong content for ${digest}`);
      return bytes;
    },

    /**
     * The digests of the referrers of an image.
     *
     * @param {string} digest
     * @returns {Promise<string[]>}
     */
    async referrers(digest) {
      const response = await call(`${base}/referrers/${digest}`);
      const { manifests } = /** @type {{ manifests: { digest: string }[] }} */ (
        await response.json()
      );
      return manifests.map((manifest) => manifest.digest);
    },

    /** @returns {Promise<string[]>} */
    async tags() {
      const response = await call(`${base}/tags/list`);
      const { tags } = /** @type {{ tags?: string[] }} */ (await response.json());
      return tags ?? [];
    },
  };
}
