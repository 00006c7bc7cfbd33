import { policyText } from "../../core/signing/provider/signing";
import { type SigningScenario, signingText } from "./signing";

/** Both must accept the image: one requires a signature, the other an attestation. */
function policies({ bench }: SigningScenario, key: object): string {
  const signature = { key, signatureFormat: "bundle" };
  const attestation = { ...signature, attestations: [{ name: "a", predicateType: "custom" }] };
  const documents = [signature, attestation].map((authority) =>
    policyText(bench.local, { authorities: [authority] }),
  );
  return documents.join("\n---\n");
}

/** Signs and attests with a key, and verifies with policies for each of the given keys. */
export function keyFlow(
  scenario: SigningScenario,
  image: string,
  key: string,
  accepting: readonly object[],
): string {
  return `
resource "signing_sign" "app" {
  image            = "${image}"
  key              = "${key}"
  signature_format = "both"
}
resource "signing_attest" "app" {
  image            = signing_sign.app.signed_ref
  key              = "${key}"
  signature_format = "bundle"
  predicates {
    type = "custom"
    json = jsonencode({ tested = true })
  }
}
${verification(scenario, "signing_attest.app.attested_ref", accepting)}`;
}

/** Verifies an image with policies for each of the given keys. */
export function verifyFlow(
  scenario: SigningScenario,
  image: string,
  accepting: readonly object[],
): string {
  return verification(scenario, JSON.stringify(image), accepting);
}

/** @param image an expression */
function verification(scenario: SigningScenario, image: string, accepting: readonly object[]) {
  return `
locals {
  policies = ${JSON.stringify(accepting.map((each) => policies(scenario, each)))}
}
data "signing_verify" "app" {
  count  = ${accepting.length}
  image  = ${image}
  policy = local.policies[count.index]
}
`;
}

/** A configuration that has no identity. */
export function keyed(scenario: SigningScenario, body: string): string {
  return signingText(scenario, body).replace(/^ {2}fulcio_url .*\n/m, "");
}
