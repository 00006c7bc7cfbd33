import { TerraformStack, Testing } from "cdktf";
import { signing } from "../../../../src";
import { found, image, refusal, synthesized, warnings } from "../synthesized";

const { cosign } = signing.products;

const emptyStack = (): TerraformStack => new TerraformStack(Testing.app(), "Demo");

test("a stack for cosign uses cosign's names", () => {
  const stack = emptyStack();
  new signing.SigningProvider(stack, "signing", {
    product: cosign,
    timeout: "5m",
    defaultSignatureFormat: signing.SignatureFormat.LEGACY,
    defaultAttestationEntryType: signing.AttestationEntryType.DSSE,
  });
  const destination = "registry.example.org/mirror/app";
  const copy = new signing.Copy(stack, "copy", { source: image, destination });
  const sign = new signing.Sign(stack, "sign", { image: copy.copiedRef });
  const attest = new signing.Attest(stack, "attest", {
    image: sign.signedRef,
    predicates: [
      { type: "link", json: "{}" },
      { type: "vuln", files: [{ path: "scan.json", sha256: "0".repeat(64) }] },
    ],
  });
  new signing.DataVerify(stack, "verify", { image: attest.attestedRef, policy: "p" });
  expect(synthesized(stack)).toEqual({
    terraform: {
      required_providers: { cosign: { source: "chainguard-dev/cosign", version: "0.4.5" } },
    },
    provider: {
      cosign: [
        {
          timeout: "5m",
          default_signature_format: "legacy",
          default_attestation_entry_type: "dsse",
        },
      ],
    },
    resource: {
      cosign_copy: { copy: { source: image, destination } },
      cosign_sign: { sign: { image: "${cosign_copy.copy.copied_ref}" } },
      cosign_attest: {
        attest: {
          image: "${cosign_sign.sign.signed_ref}",
          predicates: [
            { type: "link", json: "{}" },
            { type: "vuln", file: { path: "scan.json", sha256: "0".repeat(64) } },
          ],
        },
      },
    },
    data: {
      cosign_verify: { verify: { image: "${cosign_attest.attest.attested_ref}", policy: "p" } },
    },
  });
});

test("a key is refused: cosign signs only with an identity", () => {
  const stack = emptyStack();
  new signing.SigningProvider(stack, "signing", { product: cosign });
  const error = refusal(() => {
    new signing.Sign(stack, "sign", { image, key: "cosign.key" });
    Testing.synth(stack, true);
  });
  expect(found(error)).toEqual(["INVALID_ARGUMENT key"]);
  expect(error.message).toContain("it signs only with an identity");
});

test("it cannot be chosen whether the images of an index are signed or attested", () => {
  const stack = emptyStack();
  new signing.SigningProvider(stack, "signing", { product: cosign });
  const error = refusal(() => {
    new signing.Sign(stack, "sign", { image, recursive: false });
    Testing.synth(stack, true);
  });
  expect(found(error)).toEqual(["INVALID_ARGUMENT recursive"]);
});

test("what cosign's copies lack is refused by name", () => {
  const stack = emptyStack();
  new signing.SigningProvider(stack, "signing", { product: cosign });
  const error = refusal(() => {
    new signing.Copy(stack, "copy", {
      source: image,
      destination: "registry.example.org/mirror/app",
      tags: ["v1"],
      platforms: ["linux/amd64"],
      timeouts: { create: "1h" },
    });
    Testing.synth(stack, true);
  });
  expect(found(error)).toEqual([
    "INVALID_ARGUMENT tags",
    "INVALID_ARGUMENT platforms",
    "INVALID_ARGUMENT timeouts",
  ]);
});

test("an image layout is refused for cosign, which knows only registries", () => {
  const stack = emptyStack();
  new signing.SigningProvider(stack, "signing", { product: cosign });
  const error = refusal(() => {
    new signing.Copy(stack, "copy", { source: image, destination: "oci:mirror" });
    Testing.synth(stack, true);
  });
  expect(found(error)).toEqual(["INVALID_ARGUMENT destination"]);
});

test("settings that cosign lacks are refused by name, with the alternative", () => {
  const settings: signing.SigningProviderProps = {
    transparencyLog: true,
    fulcioUrl: "https://fulcio.example.com",
    rekorUrl: "https://rekor.example.com",
    useRekorV2: true,
    timestampUrl: "https://time.example.com",
    trustedRoot: "trusted_root.json",
    identityToken: "token",
    insecureIgnoreSct: true,
    skipWithoutIdentity: false,
    registries: [{ host: "registry.example.com" }],
  };
  const build = (product: signing.Product) =>
    new signing.SigningProvider(emptyStack(), "signing", { ...settings, product });
  expect(() => build(signing.products.trivet)).not.toThrow();
  const error = refusal(() => build(cosign));
  expect(found(error)).toEqual(Object.keys(settings).map((name) => `INVALID_ARGUMENT ${name}`));
  expect(error.message).toContain(
    "identityToken: is not supported by the cosign provider: it reads SIGSTORE_ID_TOKEN",
  );
});

test("images by sha512 are refused for cosign, which knows only sha256", () => {
  const image = `registry.example.com/app@sha512:${"a".repeat(128)}`;
  const predicates = [{ type: "link", json: "{}" }];
  const destination = "registry.example.com/b";
  const policy = JSON.stringify({
    apiVersion: "policy.sigstore.dev/v1beta1",
    kind: "ClusterImagePolicy",
    metadata: { name: "everything" },
    spec: { images: [{ glob: "**" }], authorities: [{ static: { action: "pass" } }] },
  });
  const constructs: Record<string, (stack: TerraformStack) => object> = {
    sign: (stack) => new signing.Sign(stack, "sign", { image }),
    attest: (stack) => new signing.Attest(stack, "attest", { image, predicates }),
    copy: (stack) => new signing.Copy(stack, "copy", { source: image, destination }),
    verify: (stack) => new signing.DataVerify(stack, "verify", { image, policy }),
  };
  const build = (product: signing.Product, construct: (stack: TerraformStack) => object) => {
    const stack = emptyStack();
    new signing.SigningProvider(stack, "signing", { product });
    construct(stack);
    return synthesized(stack);
  };
  for (const [name, construct] of Object.entries(constructs)) {
    expect(() => build(signing.products.trivet, construct)).not.toThrow();
    const input = name === "copy" ? "source" : "image";
    const { message } = refusal(() => build(cosign, construct));
    expect(message).toContain(`${input}: must have a sha256 digest`);
  }
});

test("a copy with cosign causes a warning, because it forgets its destination", () => {
  const stack = emptyStack();
  new signing.SigningProvider(stack, "signing", { product: cosign });
  const copy = new signing.Copy(stack, "copy", { source: image, destination: "example.com/app" });
  expect(warnings(copy)).toEqual([expect.stringMatching(/^destination: is forgotten by cosign/)]);
});

test("all constructs of a stack use one product", () => {
  const stack = emptyStack();
  new signing.Sign(stack, "sign", { image });
  const error = refusal(() => new signing.SigningProvider(stack, "signing", { product: cosign }));
  expect(found(error)).toEqual(["CONFLICT product"]);
});
