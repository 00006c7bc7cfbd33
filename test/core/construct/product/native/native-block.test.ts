import type { Properties } from "../../../../../src/core/json/plain-json";
import { declaredGrammar } from "../../../../../src/core/construct/product/native/native-files";
import { nativeBlock } from "../../../../../src/core/construct/product/native/native-block";
import { vocabularyOf } from "../../../../../src/core/construct/product/vocabulary";
import { block, dataSource, optional, t } from "../../../../../src/core/schema";

const attribute = optional(t.string(), { doc: "A text." });
const thing = dataSource("demo_thing", {
  doc: "A thing.",
  attributes: { text: attribute, map: optional(t.map(t.string()), { doc: "A map." }) },
  blocks: {
    outerPart: block.list(
      {
        attributes: { text: attribute },
        blocks: { inner: block.set({ attributes: {} }, { doc: "." }) },
      },
      { doc: "A part." },
    ),
  },
});

const native = (body: Properties): string => nativeBlock("data", body, declaredGrammar(thing));

test("attributes come first, regardless of their values", () => {
  const body = {
    outer_part: [{ text: "a", inner: {} }, { text: "b" }],
    "//": { metadata: {} },
    text: "x",
    number: 1.5,
    flag: false,
    nothing: null,
    map: { "a b": "c", d: { e: [1, "f"] } },
    empty: {},
  };
  expect(native(body)).toBe(`data {
  text = "x"
  number = 1.5
  flag = false
  nothing = null
  map = {
    "a b" = "c"
    "d" = {
      "e" = [1, "f"]
    }
  }
  empty = {}

  outer_part {
    text = "a"

    inner {}
  }

  outer_part {
    text = "b"
  }
}
`);
});

test("meta-arguments are references and blocks", () => {
  const body = {
    count: "${var.n}",
    depends_on: ["ids_endpoint.edge", "${data.demo_thing.other}"],
    provider: "demo.east",
    lifecycle: { precondition: [{ condition: "${var.n > 0}", error_message: "no" }] },
  };
  expect(native(body)).toBe(`data {
  count = "\${var.n}"
  depends_on = [ids_endpoint.edge, data.demo_thing.other]
  provider = demo.east

  lifecycle {
    precondition {
      condition = "\${var.n > 0}"
      error_message = "no"
    }
  }
}
`);
});

test("dynamic blocks have their content inside", () => {
  const content = { text: "${each.value}", inner: [{}] };
  const dynamic = { outer_part: { for_each: "${var.all}", iterator: "each", content } };
  expect(native({ dynamic })).toBe(`data {
  dynamic "outer_part" {
    for_each = "\${var.all}"
    iterator = each

    content {
      text = "\${each.value}"

      inner {}
    }
  }
}
`);
});

test("an empty body is one line", () => {
  expect(native({ outer_part: [] })).toBe("data {}\n");
});

test("a product's names are blocks too", () => {
  const names = { demo_thing: { outer_part: "teil", "outer_part.inner": "innen" } };
  const grammar = declaredGrammar(
    thing,
    vocabularyOf({ source: "a/b", typePrefix: "b", names }, "demo_thing"),
  );
  expect(nativeBlock("data", { teil: { innen: {} }, outer_part: {} }, grammar)).toBe(`data {
  outer_part = {}

  teil {
    innen {}
  }
}
`);
});
