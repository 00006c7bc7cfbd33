import { workspace } from "../../../../src";
import {
  productOf,
  templateProducts,
} from "../../../../src/local/workspace/terraform/template-product";

const coder = { sources: ["coder/coder"], addresses: ["data.coder_parameter.a"] };

it.each([
  [{ sources: [], addresses: [] }, undefined, "trivet"],
  [{ sources: [], addresses: ["coder_agent.main"] }, undefined, "coder"],
  [{ sources: ["registry.terraform.io/coder/coder"], addresses: [] }, undefined, "coder"],
  [coder, undefined, "coder"],
  [coder, "coder", "coder"],
])("knows the product of %j", (declared, given, name) => {
  expect(productOf(declared, given).name).toBe(name);
});

it.each([
  [coder, "trivet", "declares data.coder_parameter.a of coder"],
  [
    { ...coder, addresses: ["coder_agent.a", "workspace_agent.b"] },
    undefined,
    "declares workspace_agent.b of trivet",
  ],
])("refuses types of another product in %j", (declared, given, message) => {
  expect(() => productOf(declared, given)).toThrow(message);
});

it("has the names of the products of constructs", () => {
  const { trivet, coder: other } = workspace.products;
  for (const [at, product] of [trivet, other].entries()) {
    const { source, typePrefix } = product.providers.workspace;
    const { environmentPrefix } = product;
    expect(templateProducts[at]).toEqual({
      name: product.name,
      typePrefix: `${typePrefix}_`,
      environmentPrefix,
      source,
    });
  }
});
