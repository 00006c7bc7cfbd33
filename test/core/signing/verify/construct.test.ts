import { TerraformStack, TerraformVariable, Testing } from "cdktf";
import {
  DataVerify,
  products,
  SigningProvider,
  type DataVerifyProps,
} from "../../../../src/core/signing";
import { policy } from "./table";

const image = "registry.example/app:1";

const verified = (props: Partial<DataVerifyProps>): DataVerify =>
  new DataVerify(new TerraformStack(Testing.app(), "Demo"), "verified", {
    image,
    policy,
    ...props,
  });

test("a policy with problems is refused at once, with all of them", () => {
  const wrong = policy
    .replace("spec: {", "spec: { mod: warn, ")
    .replace("action: pass", "action: maybe");
  let thrown: unknown;
  try {
    verified({ policy: wrong });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({
    findings: [
      {
        code: "INVALID_ARGUMENT",
        severity: "error",
        path: ["policy"],
        message: expect.stringMatching(/line 4, spec\.mod: .*did you mean "mode"/) as unknown,
      },
      { message: expect.stringMatching(/static\.action: must be pass or fail/) as unknown },
    ],
  });
});

test.each([
  ["a path", "policies/release.yaml", /is the path of a file/],
  ["nothing", "# later", /must contain a ClusterImagePolicy/],
  ["no authority", policy.replace(/authorities: .*]/, "authorities: []"), /at least one authority/],
  [
    "no identity",
    policy.replace("static: { action: pass }", "keyless: { url: https://ca.example }"),
    /identities: must have at least one identity/,
  ],
  [
    "an expression that is not RE2",
    policy.replace(
      "static: { action: pass }",
      "keyless: { url: https://ca.example, identities: [{ issuer: a, subjectRegExp: '(?=a)' }] }",
    ),
    /RE2 syntax \(got "\(\?=a\)"\)/,
  ],
])("a policy with %s is refused", (_, wrong, problem) => {
  expect(() => verified({ policy: wrong })).toThrow(problem);
});

test("a policy that is not known yet is left to the provider", () => {
  const stack = new TerraformStack(Testing.app(), "Demo");
  const variable = new TerraformVariable(stack, "policy", { type: "string" });
  expect(
    new DataVerify(stack, "verified", { image, policy: variable.stringValue }).policy,
  ).toBeDefined();
});

test("a policy for another product's provider is left to that provider", () => {
  const stack = new TerraformStack(Testing.app(), "Demo");
  new SigningProvider(stack, "signing", { product: products.cosign });
  expect(new DataVerify(stack, "verified", { image, policy: "p" }).policy).toBeDefined();
});
