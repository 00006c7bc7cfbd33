import { TerraformStack, Testing, Tokenization } from "cdktf";
import { ids } from "../../../../src";
import { withoutStackTraces } from "../../../../src/core/construct/cdktf-internals/stack-traces";

const trace = (): string => {
  const holder = { stack: "" };
  Error.captureStackTrace(holder);
  return holder.stack;
};

afterEach(() => {
  delete process.env["TRIVET_STACK_TRACES"];
});

test("no stack trace is captured inside, but again afterwards", () => {
  expect(withoutStackTraces(trace)).toBe("");
  expect(trace()).toContain("stack-traces.test");
});

test("the original is restored when building fails, and the error keeps its stack", () => {
  const fail = (): never => {
    throw new Error("no");
  };
  const caught = (): unknown => {
    try {
      withoutStackTraces(fail);
    } catch (error) {
      return error;
    }
    return undefined;
  };
  expect(String((caught() as Error).stack)).toContain("fail");
  expect(trace()).not.toBe("");
});

test("a nested call does not end the outer one", () => {
  const inner = withoutStackTraces(() => [withoutStackTraces(trace), trace()]);
  expect(inner).toEqual(["", ""]);
  expect(trace()).not.toBe("");
});

test("TRIVET_STACK_TRACES=1 keeps the traces", () => {
  process.env["TRIVET_STACK_TRACES"] = "1";
  expect(withoutStackTraces(trace)).toContain("stack-traces.test");
});

test("a frozen Error is not changed", () => {
  const original = Object.getOwnPropertyDescriptor(Error, "captureStackTrace");
  Object.defineProperty(Error, "captureStackTrace", { ...original, writable: false });
  try {
    expect(withoutStackTraces(trace)).toContain("stack-traces.test");
  } finally {
    Object.defineProperty(Error, "captureStackTrace", { ...original, writable: true });
  }
});

test("a reference to an attribute is created without a trace, unless traces are kept", () => {
  const stack = new TerraformStack(Testing.app(), "stack");
  const edge = new ids.Endpoint(stack, "edge", {
    endpointId: "edge",
    network: "projects/p/global/networks/n",
    severity: "HIGH",
    location: "us-central1-f",
  });
  const tracesOf = (text: string): readonly string[] =>
    Tokenization.reverseString(text).tokens.flatMap(({ creationStack }) => creationStack);
  expect(tracesOf(edge.name)).toEqual([]);
  process.env["TRIVET_STACK_TRACES"] = "1";
  expect(tracesOf(edge.name).join("\n")).toContain("stack-traces.test");
});
