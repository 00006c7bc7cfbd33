import {
  configurationParts,
  type Referable,
} from "../../../../../src/core/construct/product/native/configuration-parts";

const files = new Map([
  ["demo_parameter", "parameters.tf"],
  ["demo_tags", "tags.tf"],
]);

const isWritable = ({ labels: [type] }: Referable): boolean => type !== "other_blocks";

const parts = (configuration: Readonly<Record<string, unknown>>) => {
  const { rest, taken } = configurationParts(configuration, files, isWritable);
  const labels = [...taken].map(([file, blocks]) => [
    file,
    blocks.map(({ section, labels: each }) => [section, ...each].join(" ")),
  ]);
  return { rest, taken: Object.fromEntries(labels) as Readonly<Record<string, string[]>> };
};

test("takes the selected data sources and everything that they refer to, directly or indirectly", () => {
  const { rest, taken } = parts({
    terraform: {},
    variable: { team: { default: "core" }, other: {} },
    locals: { where: "${var.team}-${local.deep}", deep: [{ a: "${module.net.zone}" }], other: 1 },
    module: { net: { source: "./net", zone: "${data.demo_owner.me.name}" }, other: {} },
    resource: { demo_disk: { home: { size: "${data.demo_parameter.size.value}" } } },
    data: {
      demo_owner: { me: {}, other: {} },
      demo_parameter: {
        a: { default: "${upper(data.demo_parameter.b.value)}" },
        b: { depends_on: ["data.demo_owner.other"], "//": "${data.demo_build.now.id}" },
        size: { default: "${demo_disk.home.id}" },
      },
      demo_build: { now: {} },
      demo_tags: { where: { tags: { "${local.where}": "${data.demo_parameter.a.value}" } } },
    },
  });
  expect(rest).toEqual({
    terraform: {},
    variable: { other: {} },
    locals: { other: 1 },
    module: { other: {} },
    resource: { demo_disk: { home: { size: "${data.demo_parameter.size.value}" } } },
    data: { demo_build: { now: {} } },
  });
  expect(taken).toEqual({
    "parameters.tf": [
      "data demo_owner other",
      "data demo_parameter a",
      "data demo_parameter b",
      "data demo_parameter size",
    ],
    "tags.tf": [
      "variable team",
      "locals where",
      "locals deep",
      "module net",
      "data demo_owner me",
      "data demo_tags where",
    ],
  });
});

test("leaves a block that cannot be written, and takes what that refers to", () => {
  const { rest, taken } = parts({
    locals: { x: 1 },
    data: {
      demo_tags: { where: { tags: { a: "${data.other_blocks.it.id}" } } },
      other_blocks: { it: { filter: { x: "${local.x}" } } },
    },
  });
  expect(rest).toEqual({ data: { other_blocks: { it: { filter: { x: "${local.x}" } } } } });
  expect(taken).toEqual({ "tags.tf": ["locals x", "data demo_tags where"] });
});

test("leaves no empty section", () => {
  expect(parts({ a: 1, data: { demo_tags: { x: {} } } }).rest).toEqual({ a: 1 });
});

test("ends if references form a circle", () => {
  const data = {
    demo_tags: { x: { tags: { a: "${data.demo_parameter.p.value}" } } },
    demo_parameter: { p: { default: "${data.demo_parameter.p.value}" } },
  };
  expect(parts({ data }).taken).toEqual({
    "parameters.tf": ["data demo_parameter p"],
    "tags.tf": ["data demo_tags x"],
  });
});

test.each([
  ["nothing to take", { locals: { a: 1 }, data: { demo_owner: { a: {} } } }],
  ["no data sources", { resource: {} }],
  ["an unknown shape", { data: [{ demo_tags: { x: {} } }] }],
])("%s does not change the configuration", (_, configuration) => {
  expect(parts(configuration)).toEqual({ rest: configuration, taken: {} });
});
