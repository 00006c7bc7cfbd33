import { parseKeyReference } from "../../../../../src/core/signing/sigstore/key/key-reference";
import { toPem } from "../../../../../src/core/signing/sigstore/der/der-element";

const key = "projects/p/locations/europe/keyRings/r/cryptoKeys/k";

function problemOf(reference: string): string {
  const result = parseKeyReference(reference);
  return "problem" in result ? result.problem : "";
}

describe("a key reference", () => {
  test.each([
    ["cosign.key", { kind: "file", path: "cosign.key" }],
    ["/etc/keys/a b.pem", { kind: "file", path: "/etc/keys/a b.pem" }],
    ["C:\\keys\\cosign.key", { kind: "file", path: "C:\\keys\\cosign.key" }],
    ["env://RELEASE_KEY", { kind: "environment", variable: "RELEASE_KEY" }],
  ])("is a path or a variable: %s", (reference, expected) => {
    expect(parseKeyReference(reference)).toEqual(expected);
  });

  test.each([
    ["awskms:///1234abcd-12ab-34cd-56ef-1234567890ab"],
    ["awskms:///alias/release/app"],
    ["awskms:///arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"],
    ["awskms:///arn:aws-us-gov:kms:us-gov-west-1:111122223333:alias/release"],
    ["awskms://127.0.0.1:4566/alias/release"],
    [`gcpkms://${key}`],
    [`gcpkms://${key}/cryptoKeyVersions/7`],
    [`gcpkms://${key}/versions/7`],
    ["azurekms://ours.vault.azure.net/release"],
    ["azurekms://ours.vault.azure.net/release/0123456789abcdef0123456789abcdef"],
    ["hashivault://release-key_1"],
    ["openbao://release-key_1"],
  ])("is the URI of a key in a service: %s", (reference) => {
    const [scheme, rest] = reference.split("://");
    expect(parseKeyReference(reference)).toEqual({ kind: "kms", uri: { scheme, rest } });
  });

  test.each([
    ["", /^must be a path/],
    ["  ", /^must be a path/],
    ["env://", /^must have the form env:/],
    ["env://A-B", /^must have the form env:/],
    ["k8s://ns/secret", /^has the unknown scheme "k8s:\/\/": use a path, env:\/\/, awskms:\/\//],
    ["https://example.org/cosign.key", /^has the unknown scheme "https:\/\/"/],
    ["awskms://", /^must have the form awskms:\/\/\/KEY-ID/],
    ["awskms:///../../etc", /^must have the form/],
    ["awskms://user@host/alias/release", /^must have the form/],
    [`gcpkms://${key}/../other`, /^must have the form gcpkms/],
    [`gcpkms://${key}?alt=media`, /^must have the form/],
    ["azurekms://ours.vault.azure.net", /^must have the form azurekms/],
    ["azurekms://ours.vault.azure.net@example.org/release", /^must have the form/],
    ["hashivault://a/../../sys", /^must have the form hashivault/],
    ["hashivault://release-", /^must have the form hashivault/],
    ["openbao://.release", /^must have the form openbao/],
  ])("is refused with the forms that exist: %j", (reference, problem) => {
    expect(problemOf(reference)).toMatch(problem);
  });

  test("is never a key itself, and the message does not repeat it", () => {
    const pem = toPem("PRIVATE KEY", Buffer.from("secret"));
    const problem = problemOf(pem);
    expect(problem).toContain("must not contain the key itself");
    expect(problem).not.toContain("c2VjcmV0");
  });
});
