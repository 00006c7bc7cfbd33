import { createPublicKey, X509Certificate, type KeyObject } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { canonicalJson } from "../../../core/json/canonical-json";
import { answerBytes, answerJson } from "../../service/answer";
import { HttpFailure } from "../../service/http-failure";
import { parseJsonBody } from "../../service/read-body";
import { readField, readTextField } from "../../service/read-field";
import { routes, type Routes } from "../../service/routes";
import type { Listener } from "../../service/service";
import { refused } from "./log-entry";
import type { TiledLog } from "./tiled-log";
import { verifyDigest } from "./verify-digest";

// An entry contains a certificate, but no content.
const maxEntryBytes = 65_535;

/**
 * The HTTP API of Rekor, version 2: writing an entry, and reading tiles.
 *
 * @see https://github.com/sigstore/rekor-tiles/blob/main/api/proto/rekor/v2/rekor_service.proto
 */
export function tiledLogListener(log: TiledLog, print: (line: string) => void): Listener {
  const table: Routes = {
    "POST /api/v2/log/entries": async ({ request, response }) => {
      const body = acceptEntry(await parseJsonBody(request, maxEntryBytes));
      const { index, isNew } = await log.add(body);
      if (!isNew) {
        const problem = `an equivalent entry already exists in the transparency log with index ${index}`;
        throw new HttpFailure(409, problem, { "x-log-index": String(index) });
      }
      print(`logged an entry (version 2): ${index}`);
      answerJson(response, 201, log.entry(index));
    },
  };
  return routes("the transparency log", table, ({ request, response, path }) => {
    const found = request.method === "GET" ? read(log, path) : undefined;
    if (found === undefined) throw new HttpFailure(404, "the transparency log has no such path");
    answerBytes(response, 200, found, { "content-type": "application/octet-stream" });
  });
}

export function isForTiledLog({ url = "" }: IncomingMessage): boolean {
  return url.startsWith("/api/v2/");
}

function read(log: TiledLog, pathname: string): Buffer | undefined {
  if (pathname === "/api/v2/checkpoint") return Buffer.from(log.checkpoint());
  const pattern = /^\/api\/v2\/tile\/(\d|entries)\/((?:x\d{3}\/){0,3}\d{3})(?:\.p\/(\d{1,3}))?$/;
  const [, level = "", path = "", partial] = pattern.exec(pathname) ?? [];
  if (path === "") return undefined;
  const index = Number(path.replace(/[x/]/g, ""));
  const width = partial === undefined ? undefined : Number(partial);
  if (width === 0 || (width ?? 0) > 255) return undefined;
  return level === "entries" ? log.entries(index, width) : log.tile(Number(level), index, width);
}

/** Verifies a proposed entry, and returns the entry to store. @throws HttpFailure (400) */
function acceptEntry(request: unknown): Buffer {
  const proposed = readField(request, "hashedRekordRequestV002");
  if (proposed === undefined) throw refused("only hashedRekordRequestV002 is supported");
  const digest = readTextField(proposed, "digest");
  const signature = readField(proposed, "signature");
  const content = readTextField(signature, "content");
  const verifier = readField(signature, "verifier");
  const { key, stored } = readVerifier(verifier);
  const keyDetails = readTextField(verifier, "keyDetails");
  if (keyDetails !== keyDetailsOf(key)) {
    throw refused(`the key details ${JSON.stringify(keyDetails)} are not those of the key`);
  }
  const [hash, bytes] = [Buffer.from(digest, "base64"), Buffer.from(content, "base64")];
  if (hash.byteLength !== 32) throw refused("the digest is not a SHA-256");
  if (!verifyDigest(hash, bytes, key)) {
    throw refused("the signature does not verify the digest with this key");
  }
  const spec = {
    hashedRekordV002: {
      data: { algorithm: "SHA2_256", digest },
      signature: { content, verifier: { ...stored, keyDetails } },
    },
  };
  return Buffer.from(canonicalJson({ apiVersion: "0.0.2", kind: "hashedrekord", spec }));
}

function readVerifier(verifier: unknown): { readonly key: KeyObject; readonly stored: object } {
  const certificate = readField(verifier, "x509Certificate", "rawBytes");
  const publicKey = readField(verifier, "publicKey", "rawBytes");
  try {
    if (typeof certificate === "string") {
      const { publicKey: key } = new X509Certificate(Buffer.from(certificate, "base64"));
      return { key, stored: { x509Certificate: { rawBytes: certificate } } };
    }
    const der = Buffer.from(String(publicKey), "base64");
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    return { key, stored: { publicKey: { rawBytes: publicKey } } };
  } catch {
    throw refused("the verifier is neither a certificate nor a public key in DER");
  }
}

function keyDetailsOf({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject): string {
  if (asymmetricKeyType === "rsa") return `PKIX_RSA_PKCS1V15_${details?.modulusLength ?? 0}_SHA256`;
  if (details?.namedCurve === "prime256v1") return "PKIX_ECDSA_P256_SHA_256";
  throw refused("keys of this type are not supported");
}
