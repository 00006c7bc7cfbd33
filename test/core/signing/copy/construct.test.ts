import { TerraformVariable } from "cdktf";
import { signing } from "../../../../src";
import { image, newStack, refusal, resources } from "../synthesized";

const places = { source: image, destination: "registry.example.org/mirror/app" };

test("a copy has no timeouts unless they are set", () => {
  const stack = newStack();
  new signing.Copy(stack, "plain", places);
  new signing.Copy(stack, "patient", { ...places, timeouts: { create: "4h" } });
  const copies = resources(stack, "signing_copy");
  expect(copies["patient"]).toMatchObject({ timeouts: { create: "4h" } });
  expect(copies["plain"]).not.toHaveProperty("timeouts");
});

test("a timeout of a copy can be a token, and is checked otherwise", () => {
  const stack = newStack();
  const limit = new TerraformVariable(stack, "limit", {});
  new signing.Copy(stack, "copy", { ...places, timeouts: { update: limit.stringValue } });
  expect(resources(stack, "signing_copy")).toMatchObject({
    copy: { timeouts: { update: "${var.limit}" } },
  });
  const soon = () => new signing.Copy(stack, "soon", { ...places, timeouts: { create: "soon" } });
  expect(refusal(soon).message).toContain("timeouts.create: must be a duration");
});
