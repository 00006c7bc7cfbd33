import { TerraformStack } from "cdktf";

/** Set by jest.config.js, in which each library is a project. */
declare const libraryUnderTest: string;

test("a project of these tests runs with its own library", () => {
  const { fqn } = (TerraformStack as unknown as Record<symbol, { fqn: string }>)[
    Symbol.for("jsii.rtti")
  ] ?? { fqn: "" };
  expect(fqn).toBe(`${libraryUnderTest}.TerraformStack`);
});
