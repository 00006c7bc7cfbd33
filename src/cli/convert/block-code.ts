import type { Vocabulary } from "../../core/construct/product/vocabulary";
import { type Block, camelCase, type Fields, t, type Type } from "../../core/schema";
import { edited } from "../../core/hcl/source-edits";
import { codeOf } from "../../core/hcl/template-sequences";
import { type Code, type Member, quoted, textCode } from "../import/source-text";
import type { SourceItem } from "./configuration";
import {
  commented,
  ExpressionCode,
  named,
  noValue,
  type References,
  unconvertible,
} from "./expression-code";

/** A block as properties of a construct, and as overrides by path in Terraform for what has no property. */
export interface BlockCode {
  readonly members: readonly Member[];
  readonly overrides: readonly Member[];
}

export function argumentCode(
  { expression, name }: SourceItem,
  references: References,
): ExpressionCode {
  if (expression === undefined) throw unconvertible(`${name} is nested too deeply`);
  return new ExpressionCode(expression, references);
}

/** Converts the bodies of blocks by their declarations. */
export class FieldsReader {
  /** The iterators that the code uses: their constants, and the collections as templates. */
  readonly iterators: (readonly [name: string, template: string])[] = [];

  /** @param constant the prefix of the constants of iterators */
  constructor(
    readonly references: References,
    readonly constant = "",
  ) {}

  /** @param toOurs translates names and enum values. @default they are the same */
  read(items: readonly SourceItem[], fields: Fields, toOurs: Vocabulary | undefined): BlockCode {
    const members: Member[] = [];
    const overrides: Member[] = [];
    const blocks = new Map<string, Code[]>();
    const dynamic = new Map<string, Code[]>();
    const generated = new Set<string>();
    for (const item of items) {
      const { name, labels, comments } = item;
      if (item.kind === "argument") {
        const ours = toOurs?.names.get(name) ?? name;
        const found = named(fields.attributes, ours);
        const code = argumentCode(item, this.references);
        if (found === undefined || found[1].presence === "computed") {
          overrides.push([name, commented(code.code(undefined), comments)]);
          continue;
        }
        const value = code.code(found[1].type, toOurs?.enums.get(name));
        if (value === noValue) continue;
        members.push([found[0], commented(value, comments)]);
        continue;
      }
      const [label = ""] = labels;
      if (name === "dynamic") {
        const declared = named(fields.blocks ?? {}, toOurs?.names.get(label) ?? label);
        const code =
          declared === undefined || blocks.has(declared[0])
            ? undefined
            : this.#generated(item, declared, toOurs?.inside.get(label));
        if (code !== undefined && declared !== undefined) {
          blocks.set(declared[0], [commented(code, comments)]);
          generated.add(declared[0]);
        } else add(dynamic, label, commented(dynamicCode(item, this.references), comments));
        continue;
      }
      const block = named(fields.blocks ?? {}, toOurs?.names.get(name) ?? name);
      if (block === undefined) throw unconvertible(`the construct has no block ${name}`);
      if (dynamic.has(name) || generated.has(block[0])) {
        throw unconvertible(`a block ${name} follows a dynamic block ${name}`);
      }
      const inner = this.read(item.items, block[1].fields, toOurs?.inside.get(name));
      const [unknown] = inner.overrides;
      if (unknown !== undefined) {
        throw unconvertible(`the block ${name} of the construct has no ${unknown[0]}`);
      }
      add(blocks, block[0], commented({ kind: "object", members: inner.members }, comments));
    }
    for (const [name, elements] of blocks) {
      const [only] = elements;
      const code = generated.has(name) ? only : repeated(elements, fields.blocks?.[name]);
      if (code !== undefined) members.push([name, code]);
    }
    for (const [label, elements] of dynamic) {
      overrides.push([`dynamic.${label}`, oneOrAll(elements)]);
    }
    return { members, overrides };
  }

  /**
   * Converts a `dynamic` block to an iterator of cdktf, which names the element `each`. Returns undefined if no iterator
   * is equivalent.
   */
  #generated(
    { items, labels: [label = ""] }: SourceItem,
    [property, block]: readonly [string, Block],
    toOurs: Vocabulary | undefined,
  ): Code | undefined {
    const itemOf = (wanted: string) => items.find(({ name }) => name === wanted);
    const [repeat, content] = [itemOf("for_each"), itemOf("content")];
    if (repeat === undefined || content === undefined || usesEach(content)) return undefined;
    const element = itemOf("iterator")?.expression?.text.trim() ?? label;
    // Only an identifier may become part of a pattern.
    if (!/^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(element)) return undefined;
    const reference = new RegExp(`(?<![\\w.-])${element}(?=\\s*\\.\\s*(?:key|value)\\b)`, "g");
    const inner = new FieldsReader({
      property: () => undefined,
      renamed: (text) => this.references.renamed(replacedInCode(text, reference, "each")),
    });
    const { members, overrides } = inner.read(content.items, block.fields, toOurs);
    if (overrides.length > 0 || inner.iterators.length > 0) return undefined;
    const name = `${this.constant}${capital(property)}`;
    this.iterators.push([name, argumentCode(repeat, this.references).template()]);
    const argument: Code = { kind: "object", members };
    return { kind: "call", callee: `${name}.dynamic`, argument };
  }
}

/** Replaces a pattern in an expression, but not in its strings and comments. */
function replacedInCode(expression: string, pattern: RegExp, text: string): string {
  const found = codeOf(expression, "expression").matchAll(pattern);
  const edits = [...found].map(({ 0: { length }, index: start }) => {
    return { start, end: start + length, text };
  });
  return edited(expression, edits);
}

export const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const usesEach = ({ expression, items }: SourceItem): boolean =>
  /\beach\b/.test(expression?.text ?? "") || items.some(usesEach);

function add(all: Map<string, Code[]>, name: string, code: Code): void {
  all.set(name, [...(all.get(name) ?? []), code]);
}

const oneOrAll = (elements: readonly Code[]): Code => {
  const [only] = elements;
  return elements.length === 1 && only !== undefined ? only : { kind: "array", elements };
};

function repeated(elements: readonly Code[], block: Block | undefined): Code {
  if (block?.nesting !== "single" && block?.max !== 1) return { kind: "array", elements };
  if (elements.length > 1) throw unconvertible("a block that can occur only once is repeated");
  return oneOrAll(elements);
}

export function attributeOf(
  { attributes }: Fields,
  wire: string,
): readonly [name: string, type: Type] | undefined {
  const found = named(attributes, wire);
  return found && [found[0], found[1].type];
}

/** Converts a `dynamic` block to Terraform's JSON, without its label. */
function dynamicCode({ items }: SourceItem, references: References): Code {
  const members = items.map((item): Member => {
    if (item.kind === "block") return [item.name, bodyCode(item.items, references)];
    const text = item.expression?.text.trim() ?? "";
    const isName = item.name === "iterator";
    return [
      item.name,
      isName ? textCode(quoted(text)) : argumentCode(item, references).code(undefined),
    ];
  });
  return { kind: "object", members };
}

/** Converts a body without a declaration to Terraform's JSON. */
function bodyCode(items: readonly SourceItem[], references: References): Code {
  const members = items
    .filter(({ kind }) => kind === "argument")
    .map((item): Member => [
      item.name,
      commented(argumentCode(item, references).code(undefined), item.comments),
    ]);
  const blocks = new Map<string, Code[]>();
  const dynamic = new Map<string, Code[]>();
  for (const item of items.filter(({ kind }) => kind === "block")) {
    const [label = ""] = item.labels;
    if (item.name === "dynamic") add(dynamic, label, dynamicCode(item, references));
    else add(blocks, item.name, bodyCode(item.items, references));
  }
  const nested = [...blocks].map(([name, all]): Member => [name, oneOrAll(all)]);
  const generated = [...dynamic].map(([label, all]): Member => [label, oneOrAll(all)]);
  return {
    kind: "object",
    members: [
      ...members,
      ...nested,
      ...(generated.length === 0
        ? []
        : [["dynamic", { kind: "object", members: generated }] satisfies Member]),
    ],
  };
}

/** Converts the body of `lifecycle` or `validation` to properties. */
export function plainBlock(items: readonly SourceItem[], references: References): Code {
  const conditions = new Map<string, Code[]>();
  const members: Member[] = [];
  for (const item of items) {
    const name = camelCase(item.name);
    if (item.kind === "block") {
      add(conditions, name, commented(plainBlock(item.items, references), item.comments));
      continue;
    }
    const isBare = /^(?:ignore_changes|replace_triggered_by)$/.test(item.name);
    const code = isBare
      ? bareCode(item)
      : argumentCode(item, references).code(literalTypes[item.name]);
    members.push([name, commented(code, item.comments)]);
  }
  const repeatedBlocks = [...conditions].map(([name, elements]): Member => {
    return [name, { kind: "array", elements }];
  });
  return { kind: "object", members: [...members, ...repeatedBlocks] };
}

const literalTypes: Readonly<Record<string, Type>> = {
  create_before_destroy: t.bool(),
  prevent_destroy: t.bool(),
};

/** The names or addresses in a list, without braces. */
export function bareNames({ expression, name }: SourceItem): readonly string[] {
  if (expression?.parsed.kind !== "tuple") throw unconvertible(`${name} is not a list`);
  return expression.parsed.elements.map((each) => {
    const { start, end } = expression.spans.get(each) ?? { start: 0, end: 0 };
    return expression.text.slice(start, end).replaceAll(/^"|"$|\s/g, "");
  });
}

function bareCode(item: SourceItem): Code {
  if (item.expression?.text.trim() === "all") return textCode('"all"');
  const elements = bareNames(item).map((each) => textCode(quoted(each)));
  return { kind: "array", elements };
}
