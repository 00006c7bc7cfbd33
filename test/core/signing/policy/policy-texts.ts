import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { parsePolicies } from "../../../../src/core/signing/policy/parse/parse-policies";
import type { ImagePolicy, SigningAuthority } from "../../../../src/core/signing/policy/policy";

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly pem: string;
}

export function newKey(namedCurve = "P-256"): KeyPair {
  const pair = generateKeyPairSync("ec", { namedCurve });
  return { ...pair, pem: pair.publicKey.export({ type: "spki", format: "pem" }).toString() };
}

/** A policy as JSON, which YAML is too; what a test gives replaces the spec's fields. */
export function policyText(spec: object = {}, more: object = {}): string {
  return JSON.stringify({
    apiVersion: "policy.sigstore.dev/v1beta1",
    kind: "ClusterImagePolicy",
    metadata: { name: "releases" },
    spec: {
      images: [{ glob: "registry.example/**" }],
      authorities: [{ static: { action: "pass" } }],
      ...spec,
    },
    ...more,
  });
}

export function withAuthority(...authorities: readonly object[]): string {
  return policyText({ authorities });
}

export const identity = { issuer: "https://issuer.example", subject: "dev@example.com" };
export const keyless = { url: "https://ca.example", identities: [identity] };

export function policiesOf(text: string): readonly ImagePolicy[] {
  const parsed = parsePolicies(text);
  if ("policies" in parsed) return parsed.policies;
  throw new Error(JSON.stringify(parsed.problems));
}

/** `document path`, of every problem. */
export function placesOf(text: string): readonly string[] {
  const parsed = parsePolicies(text);
  return "policies" in parsed
    ? []
    : parsed.problems.map(({ document, path }) => `${document} ${path}`);
}

export function problemsOf(text: string): string {
  const parsed = parsePolicies(text);
  return "policies" in parsed ? "" : parsed.problems.map(({ problem }) => problem).join("\n");
}

export function signingAuthorityOf(text: string): SigningAuthority {
  const authority = policiesOf(text)[0]?.authorities[0];
  if (authority?.kind === "signing") return authority;
  throw new Error("the policy's first authority is not one that signs");
}
