import { wireName, wireSchema } from "../../../src/core/schema";
import { kitchen } from "./kitchen";

test("everything that can be declared becomes Terraform's schema", () => {
  expect(wireSchema(kitchen)).toMatchSnapshot();
});

test("the order of attributes and blocks is the declaration's", () => {
  const { block } = wireSchema(kitchen);
  expect(block.attributes.map(({ name }) => name)).toEqual(
    Object.entries(kitchen.attributes).map(([name, attribute]) => wireName(name, attribute)),
  );
  expect(block.blocks.map(({ name }) => name)).toEqual(["window", "spice", "sink", "timeouts"]);
});

test.each([
  ["endpointId", "endpoint_id"],
  ["a", "a"],
  ["pinCode2", "pin_code2"],
  ["gpgURL", "gpg_u_r_l"],
])("%s is %s in Terraform", (name, wire) => {
  expect(wireName(name)).toBe(wire);
});

test("a name that is set takes precedence", () => {
  expect(wireName("kitchenId", { wire: "id" })).toBe("id");
});
