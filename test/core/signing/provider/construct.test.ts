import { TerraformStack, TerraformVariable, Testing } from "cdktf";
import { signing } from "../../../../src";
import { providerVersion } from "../../../../src/core/construct";
import { wireSchema } from "../../../../src/core/schema";
import { signingProvider } from "../../../../src/core/signing/provider/declare";
import { found, image, refusal, resources, synthesized } from "../synthesized";

const emptyStack = (): TerraformStack => new TerraformStack(Testing.app(), "Demo");

const settings = {
  defaultAttestationEntryType: signing.AttestationEntryType.DSSE,
  defaultSignatureFormat: signing.SignatureFormat.BOTH,
  timeout: "10m",
  fulcioUrl: "https://fulcio.example.com",
  rekorUrl: "https://rekor.example.com/",
  useRekorV2: true,
  timestampUrl: "http://127.0.0.1:3000/api/v1/timestamp",
  trustedRoot: "trusted_root.json",
  identityToken: "token",
  insecureIgnoreSct: true,
  skipWithoutIdentity: true,
  registries: [{ host: "127.0.0.1:5000", username: "u", password: "p", plainHttp: true }],
} as const satisfies signing.SigningProviderProps;

test("a provider needs no settings", () => {
  const stack = emptyStack();
  const provider = new signing.SigningProvider(stack, "signing");
  expect(synthesized(stack)).toEqual({
    provider: { signing: [{}] },
    terraform: {
      required_providers: {
        signing: { source: "trivet.local/trivet/signing", version: providerVersion("signing") },
      },
    },
  });
  expect(provider.terraformConfig()).toEqual({});
  expect(provider.timeout).toBeUndefined();
});

test("every declared setting can be set, is in terraformConfig, and can be read", () => {
  const provider = new signing.SigningProvider(emptyStack(), "signing", settings);
  const { block } = wireSchema(signingProvider);
  const declared = [...block.attributes, ...block.blocks].map(({ name }) => name);
  // Instead of the URLs.
  const other = new signing.SigningProvider(emptyStack(), "signing", {
    signingConfig: "config",
    key: "cosign.key",
    transparencyLog: false,
  });
  const given = [provider, other].flatMap((each) => Object.keys(each.terraformConfig()));
  expect(given.sort()).toEqual(declared.sort());
  for (const [name, value] of Object.entries(settings)) {
    expect([name, Reflect.get(provider, name)]).toEqual([name, value]);
  }
  expect(other.signingConfig).toBe("config");
  expect([other.key, other.transparencyLog]).toEqual(["cosign.key", false]);
});

test("settings may be tokens", () => {
  const stack = emptyStack();
  const variable = new TerraformVariable(stack, "v", { type: "string" });
  new signing.SigningProvider(stack, "signing", {
    identityToken: variable.stringValue,
    registries: [{ host: "example.com", password: variable.stringValue }],
  });
  expect(synthesized(stack)["provider"]).toEqual({
    signing: [
      { identity_token: "${var.v}", registry: [{ host: "example.com", password: "${var.v}" }] },
    ],
  });
});

test("resources choose a provider by its alias", () => {
  const stack = emptyStack();
  const provider = new signing.SigningProvider(stack, "other", { alias: "other" });
  new signing.Sign(stack, "sign", { image, provider });
  expect(resources(stack, "signing_sign")).toHaveProperty("sign.provider", "signing.other");
});

test("all problems with the settings are reported in one error", () => {
  const props = { timeout: "5 minutes", fulcioUrl: "http://fulcio.example.com" };
  const error = refusal(() => new signing.SigningProvider(emptyStack(), "signing", props));
  expect(found(error)).toEqual(["INVALID_ARGUMENT timeout", "INVALID_ARGUMENT fulcioUrl"]);
});
