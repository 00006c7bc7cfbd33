import { configurationParts } from "../../../../src/construct/product/native/configuration-parts";

const known = new Set(["demo_tags", "demo_parameter"]);
const tags = new Set(["demo_tags"]);

test("takes the selected data sources and everything that they refer to, directly or indirectly", () => {
  const configuration = {
    terraform: {},
    data: {
      demo_owner: { me: {} },
      demo_parameter: {
        a: { default: "${upper(data.demo_parameter.b.value)}" },
        b: { depends_on: ["data.demo_parameter.c"], "//": "${data.demo_parameter.d.value}" },
        c: { default: "${data.demo_owner.me.name}" },
        d: {},
      },
      demo_tags: {
        where: { tags: { "${data.demo_parameter.a.value}": "x" } },
      },
    },
  };
  const { rest, taken } = configurationParts(configuration, tags, known);
  expect(rest).toEqual({
    terraform: {},
    data: { demo_owner: { me: {} }, demo_parameter: { d: {} } },
  });
  expect(taken.map(({ type, name }) => `${type}.${name}`)).toEqual([
    "demo_parameter.a",
    "demo_parameter.b",
    "demo_parameter.c",
    "demo_tags.where",
  ]);
});

test("leaves no empty section", () => {
  const { rest } = configurationParts({ a: 1, data: { demo_tags: { x: {} } } }, tags, known);
  expect(rest).toEqual({ a: 1 });
});

test("ends if references form a circle", () => {
  const data = {
    demo_tags: { x: { tags: { a: "${data.demo_parameter.p.value}" } } },
    demo_parameter: { p: { default: "${data.demo_parameter.p.value}" } },
  };
  expect(configurationParts({ data }, tags, known).taken).toHaveLength(2);
});

test.each([
  ["nothing to take", { data: { demo_parameter: { a: {} } } }],
  ["no data sources", { resource: {} }],
  ["an unknown shape", { data: [{ demo_tags: { x: {} } }] }],
])("%s does not change the configuration", (_, configuration) => {
  expect(configurationParts(configuration, tags, known)).toEqual({
    rest: configuration,
    taken: [],
  });
});
