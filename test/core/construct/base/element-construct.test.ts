import { TerraformStack, TerraformVariable, Testing } from "cdktf";
import { Construct } from "constructs";
import { ids } from "../../../../src";
import { Fact, FactBinding, optionalComputed, type FactProps } from "../fact";

const newStack = (): TerraformStack => {
  const stack = new TerraformStack(Testing.app(), "Demo");
  new ids.IdsProvider(stack, "ids");
  return stack;
};

const synthesized = (stack: TerraformStack): unknown => JSON.parse(Testing.synth(stack, true));

function problemsOf(stack: TerraformStack): string {
  try {
    Testing.synth(stack, true);
  } catch (error) {
    return String(error);
  }
  return "";
}

test("a data source has its construct's ID as its name, and its meta-arguments", () => {
  const stack = newStack();
  const provider = new ids.IdsProvider(stack, "east", { alias: "east" });
  const edge = new ids.Endpoint(stack, "edge", { endpointId: "edge" });
  new Fact(stack, "rain", {
    topic: "weather",
    dependsOn: [edge],
    count: 2,
    provider,
    lifecycle: { ignoreChanges: ["tone"] },
  });
  expect(synthesized(stack)).toHaveProperty("data.ids_fact.rain", {
    topic: "weather",
    depends_on: ["ids_endpoint.edge"],
    count: 2,
    provider: "ids.east",
    lifecycle: { ignore_changes: ["tone"] },
  });
});

test("a data source is refused with all its problems", () => {
  expect(() => new Fact(newStack(), "rain", { topic: "news", tone: 1 as never })).toThrow(
    /ids\.DataFact at Demo\/rain: 2 problems\n {2}topic: .*\n {2}tone: /,
  );
});

test("properties that only resources have are refused", () => {
  const props = { topic: "weather", provisioners: [] };
  expect(() => new Fact(newStack(), "rain", props)).toThrow("provisioners: is not a property");
});

test("others can depend on a data source, by dependsOn and by node.addDependency", () => {
  const stack = newStack();
  const rain = new Fact(stack, "rain", { topic: "weather" });
  new ids.Endpoint(stack, "edge", { endpointId: "edge", dependsOn: [rain] });
  new ids.Endpoint(stack, "rim", { endpointId: "rim" }).node.addDependency(rain);
  expect(synthesized(stack)).toMatchObject({
    resource: {
      ids_endpoint: {
        edge: { depends_on: ["data.ids_fact.rain"] },
        rim: { depends_on: ["data.ids_fact.rain"] },
      },
    },
  });
});

test("a data source follows node.addDependency", () => {
  const stack = newStack();
  const edge = new ids.Endpoint(stack, "edge", { endpointId: "edge" });
  const group = new Construct(stack, "group");
  const rain = new Fact(group, "rain", { topic: "weather" });
  rain.overrideLogicalId("rain");
  group.node.addDependency(edge);
  expect(synthesized(stack)).toHaveProperty("data.ids_fact.rain.depends_on", ["ids_endpoint.edge"]);
});

test("it has an address, values and a name in Terraform", () => {
  const stack = newStack();
  const rain = new Fact(stack, "my.rain", { topic: "weather" });
  rain.overrideLogicalId("sun");
  rain.resetOverrideLogicalId();
  rain.overrideLogicalId("rain");
  expect(optionalComputed(stack, rain.fqn)).toBe("${data.ids_fact.rain}");
  expect(optionalComputed(stack, rain.answer)).toBe("${data.ids_fact.rain.answer}");
});

describe("the stack's validation", () => {
  test("sees setters and addOverride", () => {
    const stack = newStack();
    new Fact(stack, "rain", { topic: "weather" }).resource.topic = "news";
    new Fact(stack, "sun", { topic: "weather" }).addOverride("topic", "gossip");
    const problems = problemsOf(stack);
    expect(problems).toMatch(/Demo\/rain: 1 problem\n {2}topic: .*"news"/);
    expect(problems).toMatch(/Demo\/sun: 1 problem\n {2}topic: .*"gossip"/);
  });

  test("sees two with the same name", () => {
    const stack = newStack();
    new Fact(stack, "my.rain", { topic: "weather" });
    new Fact(stack, "my rain", { topic: "weather" });
    expect(problemsOf(stack)).toContain(
      "has the same Terraform name as Demo/my.rain (data.ids_fact.myrain)",
    );
  });
});

describe("it is synthesized as cdktf does it", () => {
  const both = (props: (stack: TerraformStack) => FactProps): unknown[] =>
    [Fact, FactBinding].map((Class) => {
      const stack = newStack();
      new Class(stack, "rain", props(stack) as never);
      stack.addOverride("data.ids_fact.more.topic", "traffic");
      return synthesized(stack);
    });

  test("without a token", () => {
    const [ours, bare] = both(() => ({ topic: "weather", tone: 'e+2 "\\', count: 2 }));
    expect(ours).toEqual(bare);
    expect(ours).toHaveProperty("data.ids_fact.rain.tone", 'e+2 "\\');
  });

  test("with a token", () => {
    const [ours, bare] = both((stack) => ({
      topic: "weather",
      tone: new TerraformVariable(stack, "tone", {}).stringValue,
    }));
    expect(ours).toEqual(bare);
    expect(ours).toHaveProperty("data.ids_fact.rain.tone", "${var.tone}");
  });
});
