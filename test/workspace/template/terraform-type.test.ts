import { provider } from "../../../src/workspace/provider-definition";
import { ruledTypes } from "../../../src/workspace/template/terraform-type";

test("the types named in rules are declared", () => {
  const declared = [...provider.resources, ...(provider.dataSources ?? [])].map(
    ({ declaration }) => declaration.type,
  );
  expect(declared).toEqual(expect.arrayContaining([...ruledTypes]));
});
