import * as cdktf from "cdktf";
import * as cdktn from "cdktn";
import { ids, ValidationError } from "../../../../src";

class TheirStack extends cdktn.TerraformStack {}

const create = (stack: cdktf.TerraformStack | TheirStack): ids.Endpoint =>
  new ids.Endpoint(stack, "edge", { endpointId: "Bad" });

test("a construct is refused in a stack of the other library, before its own problems", () => {
  const stack = new TheirStack(cdktn.Testing.app(), "Demo");
  expect(() => create(stack)).toThrow(ValidationError);
  expect(() => create(stack)).toThrow(
    'ids.Endpoint at Demo/edge: 1 problem\n  must be in a stack of cdktf, but Demo is a stack of cdktn: write "@trivet/constructs/cdktn" instead of "@trivet/constructs" in your imports',
  );
  expect(stack.node.children).toEqual([]);
});

test("a construct is accepted in a stack of a second copy of its library", () => {
  jest.isolateModules(() => {
    const copy = jest.requireActual<typeof cdktf>("cdktf");
    expect(copy.TerraformStack).not.toBe(cdktf.TerraformStack);
    const stack = new copy.TerraformStack(copy.Testing.app(), "Demo");
    expect(() => create(stack)).toThrow("endpointId: must start with a lowercase letter");
  });
});

test("a construct outside of a stack is refused by the library", () => {
  expect(() => new ids.Endpoint(cdktf.Testing.app(), "edge", { endpointId: "edge" })).toThrow(
    "No stack could be identified",
  );
});
