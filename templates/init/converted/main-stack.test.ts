import { Testing } from "cdktf";
import { MainStack } from "./main-stack";

test("breaks no rule of a construct", () => {
  const stack = new MainStack(Testing.app(), "main");
  expect(() => Testing.synth(stack, true)).not.toThrow();
});
