/* eslint-disable @typescript-eslint/no-deprecated -- the deprecated forms are still taken */
import { TerraformOutput } from "cdktf";
import { signing } from "../../../src";
import { policy } from "./verify/table";
import { hex, image, newStack, synthesized, warnings } from "./synthesized";

test("an image is copied, signed, attested and verified in this order", () => {
  const stack = newStack({ defaultSignatureFormat: signing.SignatureFormat.BUNDLE });

  const copy = new signing.Copy(stack, "copy", {
    source: image,
    destination: "registry.example.org/mirror/app",
  });
  const sign = new signing.Sign(stack, "sign", { image: copy.copiedRef });
  const attest = new signing.Attest(stack, "attest", {
    image: sign.signedRef,
    predicates: [signing.Predicate.of(signing.PredicateType.VULN, { scanner: {} })],
  });
  const verify = new signing.DataVerify(stack, "verify", { image: attest.attestedRef, policy });
  new TerraformOutput(stack, "image", { value: verify.verifiedRef });

  const { data, output, resource } = synthesized(stack);
  expect({ data, output, resource }).toEqual({
    resource: {
      signing_copy: { copy: { source: image, destination: "registry.example.org/mirror/app" } },
      signing_sign: { sign: { image: "${signing_copy.copy.copied_ref}" } },
      signing_attest: {
        attest: {
          image: "${signing_sign.sign.signed_ref}",
          predicates: [{ type: "vuln", json: '{"scanner":{}}' }],
        },
      },
    },
    data: {
      signing_verify: { verify: { image: "${signing_attest.attest.attested_ref}", policy } },
    },
    output: { image: { value: "${data.signing_verify.verify.verified_ref}" } },
  });
  expect([copy, sign, attest, verify].flatMap(warnings)).toEqual([]);
});

test("inputs of a construct are read back from Terraform", () => {
  const stack = newStack();
  const attest = new signing.Attest(stack, "attest", {
    image,
    conflict: signing.Conflict.APPEND,
    signatureFormat: signing.SignatureFormat.LEGACY,
    fulcioUrl: "https://fulcio.example.com",
    predicateType: "https://example.com/claim",
    predicateFiles: [{ path: "claim.json", sha256: hex }],
    predicates: [{ type: "link", files: [{ path: "link.json", sha256: hex }] }],
  });
  const shown = {
    conflict: attest.conflict,
    format: attest.signatureFormat,
    fulcio: attest.fulcioUrl,
    rekor: attest.rekorUrl,
    files: attest.predicateFiles,
    file: attest.predicates.get(0).file.sha256,
    skipped: attest.skipped,
    id: attest.id,
  };
  for (const [name, value] of Object.entries(shown)) new TerraformOutput(stack, name, { value });
  expect(synthesized(stack)["output"]).toEqual(
    Object.fromEntries(
      Object.entries({
        conflict: "conflict",
        format: "signature_format",
        fulcio: "fulcio_url",
        rekor: "rekor_url",
        files: "predicate_file",
        file: "predicates[0].file[0].sha256",
        skipped: "skipped",
        id: "id",
      }).map(([name, path]) => [name, { value: `\${signing_attest.attest.${path}}` }]),
    ),
  );
});
