import {
  App,
  Fn,
  Op,
  TerraformCount,
  TerraformHclModule,
  TerraformIterator,
  TerraformLocal,
  TerraformOutput,
  TerraformResource,
  TerraformStack,
  TerraformVariable,
  Testing,
  Token,
} from "cdktf";
import { Construct } from "constructs";
import { Endpoint as RawEndpoint } from "../../../../bindings/providers/ids/endpoint";
import { ids } from "../../../../src";
import type {
  MetaArguments,
  Product,
  StackContext,
  StackRule,
} from "../../../../src/core/construct";
import { ResourceConstruct } from "../../../../src/core/construct";
import { referenceGraph } from "../../../../src/core/construct/graph/references";
import { type Declaration, resource as declare, required, t } from "../../../../src/core/schema";
import { Fact } from "../fact";

let stack: TerraformStack;

beforeEach(() => {
  stack = new TerraformStack(Testing.app(), "Demo");
});

const endpoint = (
  id: string,
  props: Partial<ids.EndpointProps> = {},
  scope: Construct = stack,
): ids.Endpoint => new ids.Endpoint(scope, id, { endpointId: "edge", network: "n", ...props });

/** What an element refers to, in alphabetical order. */
function references(construct: Construct): readonly string[] | undefined {
  const entry = referenceGraph(TerraformStack.of(construct)).of(construct);
  return entry && [...entry.references].sort();
}

describe("a resource has references", () => {
  test("in an attribute, in every kind of token", () => {
    const [a, b] = [endpoint("a"), endpoint("b")];
    const rain = new Fact(stack, "rain", { topic: "weather" });
    const all = endpoint("all", {
      description: `${a.id} and ${rain.answer}`,
      threatExceptions: Token.asList(b.resource.threatExceptions),
      labels: Token.asStringMap(Fn.merge([a.labels, { more: "c" }])),
      trafficLogs: b.trafficLogs,
    });
    expect(references(all)).toEqual(["data.ids_fact.rain", "ids_endpoint.a", "ids_endpoint.b"]);
  });

  test("inside a block, a list and a function", () => {
    const [a, b] = [endpoint("a"), endpoint("b")];
    const all = endpoint("all", {
      timeouts: { create: `${a.description}m` },
      threatExceptions: ["1", Fn.join(",", [Fn.upper(b.name), "x"])],
    });
    expect(references(all)).toEqual(["ids_endpoint.a", "ids_endpoint.b"]);
  });

  test("in an expression that a user wrote, but not in its quotes and comments", () => {
    for (const id of ["a", "b-1", "c", "d"]) endpoint(id);
    const all = endpoint("all", {
      description:
        '${upper("ids_endpoint.c ${ids_endpoint.a[0].id}")} %{ if ids_endpoint.b-1["k"].x == "" /* ids_endpoint.d */ }x%{ endif } $${ids_endpoint.d.id} ids_endpoint.d',
    });
    expect(references(all)).toEqual(["ids_endpoint.a", "ids_endpoint.b-1"]);
  });

  test("in an expression that calls functions and indexes their results", () => {
    for (const id of ["a", "b"]) endpoint(id);
    const all = endpoint("all", {
      description: '${merge(var.x, {"k" = ids_endpoint.a.*.id})["q"].ids_endpoint.b}',
    });
    expect(references(all)).toEqual(["ids_endpoint.a"]);
  });

  test("in count, for_each and dependsOn", () => {
    const [a, b] = [endpoint("a"), endpoint("b")];
    const rain = new Fact(stack, "rain", { topic: "weather" });
    const count = TerraformCount.of(Fn.lengthOf(a.labels));
    expect(references(endpoint("many", { count, dependsOn: [rain] }))).toEqual([
      "data.ids_fact.rain",
      "ids_endpoint.a",
    ]);
    const forEach = TerraformIterator.fromMap(b.labels);
    expect(references(endpoint("each", { forEach, description: forEach.getString("x") }))).toEqual([
      "ids_endpoint.b",
    ]);
  });

  test("in provisioners, the connection, lifecycle and the provider", () => {
    const [a, b, c] = [endpoint("a"), endpoint("b"), endpoint("c")];
    const provider = new ids.IdsProvider(stack, "east", { alias: "east" });
    const all = endpoint("all", {
      provider,
      provisioners: [{ type: "local-exec", command: `echo ${a.id}` }],
      connection: { type: "ssh", host: b.endpointIp },
      lifecycle: { replaceTriggeredBy: [c.resource] },
    });
    expect(references(all)).toEqual([
      "ids_endpoint.a",
      "ids_endpoint.b",
      "ids_endpoint.c",
      "provider.ids.east",
    ]);
  });

  test("in overrides, which replace what they override", () => {
    const [a, b] = [endpoint("a"), endpoint("b")];
    const all = endpoint("all", { description: a.id });
    all.addOverride("description", b.id);
    all.addOverride("depends_on", ["data.ids_fact.rain"]);
    new Fact(stack, "rain", { topic: "weather" });
    expect(references(all)).toEqual(["data.ids_fact.rain", "ids_endpoint.b"]);
  });

  test("in node.addDependency of a construct, or of its parent", () => {
    const [a, b] = [endpoint("a"), endpoint("b")];
    const group = new Construct(stack, "group");
    const inner = endpoint("inner", {}, group);
    group.node.addDependency(a);
    inner.node.addDependency(b);
    expect(references(inner)).toEqual(["ids_endpoint.a", "ids_endpoint.b"]);
  });

  test("only while the construct is in the tree", () => {
    const a = endpoint("a");
    const all = endpoint("all", { description: a.id });
    expect(references(all)).toEqual(["ids_endpoint.a"]);
    all.resource.resetDescription();
    expect(references(all)).toEqual([]);
  });
});

test("other elements, modules, locals, variables and outputs have references too", () => {
  const a = endpoint("a");
  const variable = new TerraformVariable(stack, "v", {});
  const local = new TerraformLocal(stack, "l", Op.add(a.resource.count ?? 1, variable.numberValue));
  const module = new TerraformHclModule(stack, "m", {
    source: "x",
    variables: { v: local.asString },
  });
  const raw = new RawEndpoint(stack, "raw", {
    endpointId: "raw",
    network: module.getString("out"),
    dependsOn: [a.resource],
  });
  const other = new TerraformResource(stack, "other", { terraformResourceType: "null_resource" });
  other.addOverride("triggers", { id: raw.id, same: "${null_resource.other.id}" });
  const output = new TerraformOutput(stack, "o", { value: { deep: [other.fqn] } });
  expect(references(local)).toEqual(["var.v"]);
  expect(references(module)).toEqual(["local.l"]);
  expect(references(raw)).toEqual(["ids_endpoint.a", "module.m"]);
  expect(references(other)).toEqual(["ids_endpoint.raw"]);
  expect(references(output)).toEqual(["null_resource.other"]);
  expect(referenceGraph(stack).at("output.o")?.element).toBe(output);
});

test("the referrers of an element can be found", () => {
  const a = endpoint("a");
  const b = endpoint("b", { description: a.id });
  const c = endpoint("c", { dependsOn: [a] });
  const graph = referenceGraph(stack);
  expect(graph.referrersOf(a).map(({ address }) => address)).toEqual([
    "ids_endpoint.b",
    "ids_endpoint.c",
  ]);
  expect(graph.referrersOf(b)).toEqual([]);
  expect(graph.of(c)?.element).toBe(c.resource);
});

test("a resource that was moved away has no entry, but one that took over a state has", () => {
  const [gone, there] = [endpoint("gone"), endpoint("there")];
  gone.moveToId("ids_endpoint.there");
  there.moveFromId("ids_endpoint.gone");
  const graph = referenceGraph(stack);
  expect(graph.elements.map(({ address }) => address)).toEqual(["ids_endpoint.there"]);
  expect(graph.of(gone)).toBeUndefined();
});

test("references to another stack are kept separate, whatever the names are", () => {
  const app = Testing.app();
  const [one, two] = [new TerraformStack(app, "One"), new TerraformStack(app, "Two")];
  const a = endpoint("a", {}, one);
  endpoint("a", {}, two);
  const b = endpoint("b", { description: Fn.upper(a.id) }, two);
  const graph = referenceGraph(two);
  expect(graph.of(b)).toMatchObject({ references: new Set() });
  expect(graph.of(b)?.outside).toEqual([{ stack: one, address: "ids_endpoint.a" }]);
  expect(graph.referrersOf(a).map(({ element }) => element === b.resource)).toEqual([true]);
});

test("addresses contain a product's types", () => {
  const product: Product = {
    name: "rival",
    environmentPrefix: "RIVAL",
    providers: {
      ids: {
        source: "example.com/rival/guard",
        typePrefix: "guard",
        names: { ids_endpoint: { description: "text" } },
      },
    },
  };
  const choice = { product, project: "p" };
  new ids.IdsProvider(stack, "ids", choice);
  const a = endpoint("a");
  expect(references(endpoint("b", { description: a.description }))).toEqual(["guard_endpoint.a"]);
});

test("a token that cannot be resolved does not stop the others", () => {
  const a = endpoint("a");
  const broken = Token.asString({
    creationStack: [],
    resolve: () => {
      throw new Error("no");
    },
    toString: () => "",
  });
  expect(references(endpoint("b", { description: broken, network: a.network }))).toEqual([
    "ids_endpoint.a",
  ]);
});

describe("a rule across the constructs of a stack", () => {
  let seen: StackContext[];
  let members: string[];

  const rule: StackRule = function* (all, context) {
    seen.push(context);
    members = all.map(({ type, values }) => `${type.name} ${String(values["text"])}`);
    for (const { construct } of all) {
      if (context.references().referrersOf(construct).length > 0) continue;
      if (
        context.stacks.some((each) => context.references(each).referrersOf(construct).length > 0)
      ) {
        continue;
      }
      const message = "is used by nothing";
      yield { construct, finding: { code: "ADVICE", severity: "error", path: [], message } };
    }
  };

  const typeOf = (type: string): Declaration =>
    declare(type, {
      doc: "A note.",
      attributes: { text: required(t.string(), { doc: "Its text." }) },
    });
  const noteType = typeOf("ids_note");
  const letterType = typeOf("ids_letter");

  interface WrittenProps extends MetaArguments {
    readonly text: string;
  }

  class Written extends ResourceConstruct<TerraformResource, WrittenProps> {
    protected static override readonly stackRules = [rule];

    constructor(scope: Construct, id: string, declaration: Declaration, text: string) {
      super(scope, id, declaration, { text }, (parent, childId, config) => {
        const terraformResourceType = declaration.type;
        const made = new TerraformResource(parent, childId, { terraformResourceType });
        made.addOverride("text", config.text);
        return made;
      });
    }
  }

  beforeEach(() => {
    seen = [];
  });

  const problemsOf = (of: TerraformStack): string => {
    try {
      Testing.synth(of, true);
    } catch (error) {
      return String(error);
    }
    return "";
  };

  test("sees the members of all types that list it, and their referrers", () => {
    new ids.IdsProvider(stack, "ids");
    const note = new Written(stack, "note", noteType, "a");
    new Written(stack, "letter", letterType, note.resource.fqn);
    expect(problemsOf(stack)).toMatch(/ids\.Letter at Demo\/letter: 1 problem\n {2}is used by/);
    expect(problemsOf(stack)).not.toContain("ids.Note at");
    expect(members).toHaveLength(2);
    expect(members[0]).toBe("ids.Note a");
    expect(members[1]).toMatch(/^ids\.Letter \$/);
  });

  test("sees the other stacks of the app", () => {
    const other = new TerraformStack(App.of(stack), "Other");
    for (const each of [stack, other]) new ids.IdsProvider(each, "ids");
    const note = new Written(stack, "note", noteType, "a");
    expect(problemsOf(stack)).toContain("is used by nothing");
    endpoint("edge", { description: note.resource.getStringAttribute("text") }, other);
    expect(problemsOf(stack)).toBe("");
  });

  test("has one graph for a validation and a new one for the next", () => {
    new Written(stack, "note", noteType, "a");
    problemsOf(stack);
    const [first] = seen;
    expect(first?.references()).toBe(first?.references());
    problemsOf(stack);
    expect(seen[1]?.references()).not.toBe(first?.references());
  });
});
