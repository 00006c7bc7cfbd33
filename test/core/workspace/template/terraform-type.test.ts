import { provider } from "../../../../src/core/workspace/provider-definition";
import { ruledTypes } from "../../../../src/core/workspace/template/terraform-type";

test("the types named in rules are declared", () => {
  const declared = [...provider.resources, ...(provider.dataSources ?? [])].map(
    ({ declaration }) => declaration.type,
  );
  expect(declared).toEqual(expect.arrayContaining([...ruledTypes]));
});
