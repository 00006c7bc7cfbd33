import { TerraformStack, TerraformVariable, Testing } from "cdktf";
import { ids } from "../../../../src";
import { providerVersion } from "../../../../src/core/construct";
import { wireSchema } from "../../../../src/core/schema";
import { idsProvider } from "../../../../src/core/ids/provider/declare";
import { synthesized } from "../synthesized";

const newStack = (): TerraformStack => new TerraformStack(Testing.app(), "Demo");

const everything = {
  project: "p",
  region: "us-central1",
  zone: "us-central1-f",
  accessToken: "token",
  impersonateServiceAccount: "deployer@p.iam.gserviceaccount.com",
  impersonateServiceAccountDelegates: ["hop@p.iam.gserviceaccount.com"],
  userProjectOverride: true,
  billingProject: "payer",
  requestReason: "ticket 42",
  requestTimeout: "90s",
  pollInterval: "1s",
  universeDomain: "googleapis.com",
  cloudIdsCustomEndpoint: "http://127.0.0.1:8080/v1/",
  iamCredentialsCustomEndpoint: "http://127.0.0.1:8081/v1/",
};

const external = {
  audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/providers/b",
  serviceAccountEmail: "deployer@p.iam.gserviceaccount.com",
  identityToken: "${var.token}",
};

test("the synthesized JSON of every setting", () => {
  const stack = newStack();
  new ids.IdsProvider(stack, "ids", everything);
  expect(synthesized(stack)).toMatchSnapshot();
});

test("a provider needs no settings", () => {
  const stack = newStack();
  const provider = new ids.IdsProvider(stack, "ids");
  expect(synthesized(stack)["provider"]).toEqual({ ids: [{}] });
  expect([provider.fqn, provider.alias]).toEqual(["ids", undefined]);
});

test("the stack requires exactly the version that was built with this package", () => {
  const stack = newStack();
  new ids.IdsProvider(stack, "ids");
  const parsed = JSON.parse(Testing.synth(stack)) as object;
  expect(parsed).toHaveProperty("terraform.required_providers.ids", {
    source: "trivet.local/trivet/ids",
    version: providerVersion("ids"),
  });
});

test("terraformConfig has the settings under Terraform's names", () => {
  const stack = newStack();
  const provider = new ids.IdsProvider(stack, "ids", { ...everything, alias: "east" });
  provider.resource.zone = "us-central1-a";
  expect(provider.terraformConfig()).toEqual({
    project: "p",
    region: "us-central1",
    zone: "us-central1-a",
    access_token: "token",
    impersonate_service_account: "deployer@p.iam.gserviceaccount.com",
    impersonate_service_account_delegates: ["hop@p.iam.gserviceaccount.com"],
    user_project_override: true,
    billing_project: "payer",
    request_reason: "ticket 42",
    request_timeout: "90s",
    poll_interval: "1s",
    universe_domain: "googleapis.com",
    cloud_ids_custom_endpoint: "http://127.0.0.1:8080/v1/",
    iam_credentials_custom_endpoint: "http://127.0.0.1:8081/v1/",
  });
});

test("every declared setting can be set", () => {
  const provider = new ids.IdsProvider(newStack(), "ids", everything);
  const other = new ids.IdsProvider(newStack(), "ids", { credentials: "key.json" });
  const federated = new ids.IdsProvider(newStack(), "ids", { externalCredentials: external });
  const given = [provider, other, federated].flatMap((each) => Object.keys(each.terraformConfig()));
  const { attributes, blocks } = wireSchema(idsProvider).block;
  const declared = [...attributes.map(({ name }) => name), ...blocks.map(({ name }) => name)];
  expect([...given].sort()).toEqual([...declared].sort());
});

const refused: readonly (readonly [string, ids.IdsProviderProps, string])[] = [
  ["both credentials and an access token", { credentials: "c", accessToken: "t" }, "CONFLICT"],
  ["a base URL without /v1/", { cloudIdsCustomEndpoint: "https://x.example/" }, "INVALID_ARGUMENT"],
  [
    "plain http to another machine",
    { cloudIdsCustomEndpoint: "http://x.example/v1/" },
    "INVALID_ARGUMENT",
  ],
  ["a timeout that is not a duration", { requestTimeout: "soon" }, "INVALID_ARGUMENT"],
  ["a setting that there is not", { projekt: "p" } as ids.IdsProviderProps, "UNKNOWN_PROPERTY"],
];

test.each(refused)("refuses %s", (_name, props, code) => {
  const found: string[] = [];
  try {
    new ids.IdsProvider(newStack(), "ids", props);
  } catch (error) {
    if (!(error instanceof ids.ValidationError)) throw error;
    found.push(error.constructPath, ...error.findings.map((finding) => finding.code));
  }
  expect(found).toEqual(["Demo/ids", code]);
});

test("a refused secret is not shown", () => {
  const props = { credentials: '{"private_key":"hunter2 ${X}"}' };
  expect(() => new ids.IdsProvider(newStack(), "ids", props)).toThrow(
    /^(?![^]*hunter2)[^]*credentials/,
  );
});

test("settings may be tokens", () => {
  const stack = newStack();
  const variable = new TerraformVariable(stack, "v", {});
  new ids.IdsProvider(stack, "ids", {
    cloudIdsCustomEndpoint: variable.stringValue,
    credentials: variable.stringValue,
    requestTimeout: variable.stringValue,
  });
  expect(synthesized(stack)["provider"]).toEqual({
    ids: [
      {
        cloud_ids_custom_endpoint: "${var.v}",
        credentials: "${var.v}",
        request_timeout: "${var.v}",
      },
    ],
  });
});
