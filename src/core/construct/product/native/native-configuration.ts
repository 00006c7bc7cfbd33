import { withEscapedTemplates } from "../../../hcl/escaped-templates";
import { isObject, type Properties } from "../../../json/plain-json";
import type { Referable } from "./configuration-parts";
import {
  attributesOnly,
  metaReferences,
  nativeBlock,
  nativeValue,
  type BareNames,
  type Grammar,
} from "./native-block";

/** Converts blocks of Terraform's JSON to native syntax. */
export function nativeConfiguration(
  blocks: readonly Referable[],
  grammarOf: (dataSource: Referable) => Grammar,
): string[] {
  const locals = blocks.filter(({ section }) => section === "locals");
  return [
    ...inSection(blocks, "variable").map(([head, body]) =>
      nativeBlock(head, literalVariable(body), variable, typeExpression),
    ),
    ...(locals.length === 0 ? [] : [nativeLocals(locals)]),
    ...inSection(blocks, "module").map(([head, body]) => nativeBlock(head, body, attributesOnly)),
    ...inSection(blocks, "data").map(([head, body, block]) =>
      nativeBlock(head, body, grammarOf(block), metaReferences),
    ),
  ];
}

function inSection(
  blocks: readonly Referable[],
  wanted: Referable["section"],
): (readonly [head: string, body: Properties, block: Referable])[] {
  return blocks.flatMap((block) => {
    const { section, labels, body } = block;
    if (section !== wanted || !isObject(body)) return [];
    return [[[section, ...labels.map((label) => JSON.stringify(label))].join(" "), body, block]];
  });
}

function nativeLocals(locals: readonly Referable[]): string {
  const lines = locals.map(
    ({ labels: [name = ""], body }) => `  ${name} = ${nativeValue(body, "  ")}\n`,
  );
  return `locals {\n${lines.join("")}}\n`;
}

const variable: Grammar = (name) => (name === "validation" ? attributesOnly : undefined);

/** A type is a special kind of expression. */
const typeExpression: BareNames = new Set(["type"]);

/** The arguments of a variable that Terraform reads as expressions; it takes all others literally. */
const expressions = new Set(["type", "validation"]);

const literalVariable = (body: Properties): Properties =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      expressions.has(name) ? value : withEscapedTemplates(value),
    ]),
  );
