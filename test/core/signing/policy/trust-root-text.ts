import { readFileSync } from "node:fs";
import type { LocalSigning } from "../../../../src/local/signing/start-local-signing";

export const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A TrustRoot, as administrators of clusters write it. */
export function trustRoot(name: string, sigstoreKeys: object, more: object = {}): string {
  return JSON.stringify({
    apiVersion: "policy.sigstore.dev/v1alpha1",
    kind: "TrustRoot",
    metadata: { name },
    spec: { sigstoreKeys, ...more },
  });
}

/** The keys and certificates of local services. */
export function keysOf({ files, addresses }: LocalSigning) {
  const read = (file: string): string => base64(readFileSync(file, "utf8"));
  const subject = { organization: "us", commonName: "us" };
  const log = (baseURL: string, file: string) => [
    { baseURL, hashAlgorithm: "sha-256", publicKey: read(file) },
  ];
  const authority = (uri: string, file: string) => [{ subject, uri, certChain: read(file) }];
  return {
    certificateAuthorities: authority(addresses.certificateAuthority, files.certificateChain),
    tLogs: log(addresses.transparencyLog, files.transparencyLogPublicKey),
    ctLogs: log(addresses.certificateAuthority, files.ctLogPublicKey),
    timestampAuthorities: authority(addresses.timestampAuthority, files.timestampChain),
  };
}
