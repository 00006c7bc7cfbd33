// @ts-check
import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { tar } from "./tar.mjs";

/**
 * An OCI image: its manifest and what the manifest names.
 *
 * @typedef {object} Image
 * @property {Buffer} manifest
 * @property {string} digest of the manifest
 * @property {readonly Buffer[]} blobs
 * @property {number} size of the blobs together
 *
 * @typedef {{ mediaType: string, bytes: Buffer, diffId: string }} Layer
 */

/** @param {Buffer} bytes */
export const digestOf = (bytes) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/**
 * The files of a folder below `usr/lib/trivet`, as one layer.
 *
 * @param {readonly import("./tar.mjs").TarFile[]} files
 * @returns {Promise<Image>}
 */
export async function imageOfFiles(files) {
  const archive = await tar(
    files.map(({ path, ...file }) => ({ path: `usr/lib/trivet/${path}`, ...file })),
  );
  const mediaType = "application/vnd.oci.image.layer.v1.tar+gzip";
  return image([{ mediaType, bytes: gzipSync(archive), diffId: digestOf(archive) }]);
}

/**
 * Bytes that no registry has and that cannot be compressed.
 *
 * @param {number} layers
 * @param {number} layerBytes
 */
export async function imageOfRandomBytes(layers, layerBytes) {
  const mediaType = "application/vnd.oci.image.layer.v1.tar";
  const archives = Array.from({ length: layers }, (_, index) =>
    tar([{ path: `srv/model-${index}.bin`, content: randomBytes(layerBytes) }]),
  );
  return image(
    (await Promise.all(archives)).map((bytes) => ({ mediaType, bytes, diffId: digestOf(bytes) })),
  );
}

/**
 * @param {string} folder
 * @returns {Promise<import("./tar.mjs").TarFile[]>} in the order of their paths
 */
export async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    paths.map(async (path) => ({
      path: relative(folder, path),
      content: await readFile(path),
      mode: (await stat(path)).mode & 0o777,
    })),
  );
}

/**
 * @param {readonly Layer[]} layers
 * @returns {Image}
 */
function image(layers) {
  const config = json({
    architecture: process.arch === "arm64" ? "arm64" : "amd64",
    os: "linux",
    config: {},
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
  });
  /** @type {(mediaType: string, bytes: Buffer) => object} */
  const descriptor = (mediaType, bytes) => ({
    mediaType,
    digest: digestOf(bytes),
    size: bytes.length,
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: descriptor("application/vnd.oci.image.config.v1+json", config),
    layers: layers.map(({ mediaType, bytes }) => descriptor(mediaType, bytes)),
  });
  const blobs = [config, ...layers.map(({ bytes }) => bytes)];
  const size = blobs.reduce((total, { length }) => total + length, 0);
  return { manifest, digest: digestOf(manifest), blobs, size };
}

/** @param {unknown} value */
const json = (value) => Buffer.from(JSON.stringify(value));
