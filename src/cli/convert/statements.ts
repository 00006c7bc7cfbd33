import { check, t, type Type, UNKNOWN } from "../../core/schema";
import { propertiesOf } from "../../core/json/plain-json";
import { codeOnly } from "../../planner/offline-plan/native-syntax";
import { coderRefusals } from "../../core/workspace/product/coder-refusals";
import {
  callText,
  type Code,
  type Member,
  quoted,
  templateCode,
  textCode,
} from "../import/source-text";
import {
  argumentCode,
  attributeOf,
  bareNames,
  type BlockCode,
  FieldsReader,
  plainBlock,
} from "./block-code";
import type { SourceItem } from "./configuration";
import {
  commented,
  commentLine,
  noValue,
  type References,
  unconvertible,
  valueOf,
} from "./expression-code";
import { type KnownType, type KnownTypes, renamedReferences } from "./known-types";

/** The construct for a block or an argument of `locals`. */
export interface Planned {
  /** Such as `data.coder_parameter.region`. */
  readonly address: string;
  readonly label: string;
  /** The unique ID of the construct. */
  readonly id: string;
  readonly constant: string;
  readonly known: KnownType | undefined;
  readonly item: SourceItem;
  readonly comments: readonly string[];
}

/** A statement that creates a construct, with the calls after it. */
export interface Statement {
  readonly planned: Planned;
  readonly text: (isNamed: boolean) => string;
  /** The addresses of the constructs to which it refers. */
  readonly uses: ReadonlySet<string>;
  readonly needsName: boolean;
}

export const indent = "    ";

export class StatementWriter {
  readonly #types: KnownTypes;
  readonly #planned: ReadonlyMap<string, Planned>;
  readonly #isCoder: boolean;

  constructor(types: KnownTypes, planned: ReadonlyMap<string, Planned>, isCoder: boolean) {
    this.#types = types;
    this.#planned = planned;
    this.#isCoder = isCoder;
  }

  /** @throws Unconvertible if no construct is equivalent */
  write(planned: Planned): Statement {
    const uses = new Set<string>();
    const constantOf = (address: string): string | undefined => {
      const found = this.#planned.get(address);
      if (found !== undefined) uses.add(address);
      return found?.constant;
    };
    const {
      className,
      args,
      calls,
      iterators = [],
    } = new ConstructReader(this.#references(uses), this.#isCoder, constantOf).read(planned);
    const { id, label, constant, comments, item } = planned;
    const isNamed = id === label || (item.kind === "block" && item.name === "provider");
    const renames = isNamed ? [] : [["overrideLogicalId", templateCode(label)] as const];
    const all = [...renames, ...calls];
    const values: readonly Code[] = [textCode("this"), textCode(quoted(id)), ...args];
    const text = (isNamed: boolean): string => {
      const made = `${isNamed ? `const ${constant} = ` : ""}new ${className}`;
      const lines = [
        ...comments.map(commentLine),
        ...iterators.map(([name, template]) => {
          const argument = templateCode(template);
          const map: Code = { kind: "call", callee: "Token.asAnyMap", argument };
          return `${callText(`const ${name} = TerraformIterator.fromMap`, [map], indent)};`;
        }),
        `${callText(made, values, indent)};`,
        ...all.flatMap(([method, ...rest]) => [
          ...rest.flatMap(({ comments: own = [] }) => own),
          `${callText(`${constant}.${method}`, rest, indent)};`,
        ]),
      ];
      return lines.map((line) => `${indent}${line}\n`).join("");
    };
    return { planned, text, uses, needsName: all.length > 0 };
  }

  #references(uses: Set<string>): References {
    return {
      property: (address, index, attribute, wanted) => {
        const found = this.#planned.get(address);
        const { known, item } = found ?? {};
        if (found === undefined || known === undefined) return undefined;
        const isCounted =
          item?.items.some(({ name }) => /^(?:count|for_each)$/.test(name)) === true;
        const isOnly = known.className === "workspace.Agent" && index === 0;
        if (isCounted ? !isOnly : index !== undefined) return undefined;
        const property = attributeOf(
          known.declaration,
          known.toOurs?.names.get(attribute) ?? attribute,
        );
        if (property === undefined || !isSameType(property[1], wanted)) return undefined;
        uses.add(address);
        return textCode(`${found.constant}.${property[0]}`);
      },
      renamed: (text) => this.renamed(text),
    };
  }

  renamed(text: string): string {
    return renamedReferences(text, this.#types, (address) => this.#planned.has(address));
  }
}

/** Checks whether a property of a construct can be used without a conversion. */
function isSameType(own: Type, wanted: Type | undefined): boolean {
  const kindOf = (type: Type) => (type.kind === "integer" ? "number" : type.kind);
  const isPlain = own.kind === "string" ? own.values === undefined : own.kind === "integer";
  return (
    isPlain &&
    (wanted === undefined ||
      wanted.kind === "dynamic" ||
      (kindOf(wanted) === kindOf(own) && !("values" in wanted && wanted.values !== undefined)))
  );
}

interface Parts {
  readonly className: string;
  readonly args: readonly Code[];
  readonly calls: readonly (readonly [method: string, ...args: Code[]])[];
  readonly iterators?: FieldsReader["iterators"];
}

const object = (members: readonly Member[]): readonly Code[] =>
  members.length === 0 ? [] : [{ kind: "object", members }];

const overridden = (overrides: readonly Member[]): Parts["calls"] =>
  overrides.map(([path, value]) => ["addOverride", textCode(quoted(path)), value]);

class ConstructReader {
  /** @param constantOf returns the constant of a converted block, and records its use */
  constructor(
    readonly references: References,
    readonly isCoder: boolean,
    readonly constantOf: (address: string) => string | undefined,
  ) {}

  read(planned: Planned): Parts {
    const { item, known } = planned;
    if (item.kind === "argument") {
      const args = [argumentCode(item, this.references).code(undefined)];
      return { className: "TerraformLocal", args, calls: [] };
    }
    if (item.name === "variable") return this.#variable(item);
    if (item.name === "output") return this.#output(item);
    if (item.name === "module") return this.#module(item);
    if (known === undefined) throw new Error(`${planned.address} has no construct`);
    return item.name === "provider" ? this.#provider(item, known) : this.#element(planned, known);
  }

  #element({ address, item, constant }: Planned, known: KnownType): Parts {
    const { own, meta } = this.#meta(item.items);
    const reader = new FieldsReader(this.references, constant);
    const read = reader.read(own, known.declaration, known.toOurs);
    const values = valueOf({ kind: "object", members: read.members });
    const { declaration } = known;
    const refused = this.isCoder ? (coderRefusals[declaration.type] ?? []) : [];
    const findings = check(
      { ...declaration, rules: [...declaration.rules, ...refused] },
      propertiesOf(values),
      (value) => value === UNKNOWN,
    );
    const finding = findings.find(({ severity }) => severity === "error");
    if (finding !== undefined) {
      throw unconvertible(`${finding.path.join(".")} ${finding.message}`);
    }
    const isMoved = item.name === "resource" && known.written !== item.labels[0];
    return {
      className: known.className,
      args: object([...meta.members, ...read.members]),
      calls: [
        ...overridden([...read.overrides, ...meta.overrides]),
        ...(isMoved ? [["moveFromId", textCode(quoted(address))] as const] : []),
      ],
      iterators: reader.iterators,
    };
  }

  #meta(items: readonly SourceItem[]): {
    readonly own: readonly SourceItem[];
    readonly meta: BlockCode;
  } {
    const own: SourceItem[] = [];
    const members: Member[] = [];
    const overrides: Member[] = [];
    for (const item of items) {
      const add = (name: string, code: Code) =>
        members.push([name, commented(code, item.comments)]);
      const key = `${item.kind} ${item.name}`;
      if (key === "argument count")
        add("count", argumentCode(item, this.references).code(t.integer()));
      else if (key === "argument for_each") {
        overrides.push(["for_each", argumentCode(item, this.references).code(undefined)]);
      } else if (key === "argument depends_on") add("dependsOn", this.#dependencies(item));
      else if (key === "argument provider") add("provider", this.#providerOf(item));
      else if (key === "block lifecycle") add("lifecycle", plainBlock(item.items, this.references));
      else if (/^(?:block (?:provisioner|connection)|argument providers)$/.test(key)) {
        throw unconvertible(`${item.name} has no property`);
      } else own.push(item);
    }
    return { own, meta: { members, overrides } };
  }

  #dependencies(item: SourceItem): Code {
    const elements = bareNames(item).map((address): Code => {
      const constant = this.constantOf(address);
      if (constant !== undefined) return textCode(constant);
      return { kind: "object", members: [["fqn", textCode(quoted(address))]] };
    });
    return { kind: "array", elements };
  }

  #providerOf({ expression }: SourceItem): Code {
    const name = expression?.text.trim() ?? "";
    const constant = this.constantOf(`provider.${name}`);
    if (constant === undefined) throw unconvertible(`its provider ${name} is not converted`);
    return textCode(constant);
  }

  #provider(item: SourceItem, { slice, className, declaration }: KnownType): Parts {
    const settings = item.items.filter(
      ({ kind, name }) =>
        kind === "argument" && (name === "alias" || attributeOf(declaration, name) !== undefined),
    );
    const alias = settings.find(({ name }) => name === "alias");
    const reader = new FieldsReader(this.references);
    const own = settings.filter((each) => each !== alias);
    const { members } = reader.read(own, declaration, undefined);
    const isCoder = slice === "workspace" && this.isCoder;
    const product: Member = ["product", textCode("workspace.products.coder")];
    return {
      className,
      args: object([
        ...(isCoder ? [product] : []),
        ...(alias
          ? [["alias", argumentCode(alias, this.references).code(t.string())] as const]
          : []),
        ...members,
      ]),
      calls: [],
    };
  }

  #module(item: SourceItem): Parts {
    const { own, meta } = this.#meta(item.items);
    const members: Member[] = [];
    const variables: Member[] = [];
    for (const each of own) {
      const code = argumentCode(each, this.references);
      const isOwn = /^(?:source|version|agent_id)$/.test(each.name);
      const value = commented(code.code(isOwn ? t.string() : undefined), each.comments);
      if (isOwn) members.push([each.name === "agent_id" ? "agentId" : each.name, value]);
      else variables.push([each.name, value]);
    }
    const given: readonly Member[] =
      variables.length === 0 ? [] : [["variables", { kind: "object", members: variables }]];
    return {
      className: "workspace.Module",
      args: object([...members, ...meta.members, ...given]),
      calls: overridden(meta.overrides),
    };
  }

  #variable({ items }: SourceItem): Parts {
    const members: Member[] = [];
    const overrides: Member[] = [];
    const validation: Code[] = [];
    for (const each of items) {
      const add = (code: Code) => members.push([each.name, commented(code, each.comments)]);
      if (each.kind === "block")
        validation.push(commented(plainBlock(each.items, this.references), each.comments));
      else if (each.name === "type") add(textCode(quoted(typeText(each))));
      else if (/^(?:default|description|nullable|sensitive)$/.test(each.name)) {
        const type = /^(?:nullable|sensitive)$/.test(each.name) ? t.bool() : undefined;
        const code = argumentCode(each, this.references).code(type, undefined, false);
        // cdktf changes keys in a default, and cannot write null.
        if (isPlain(code)) add(code);
        else overrides.push([each.name, commented(code, each.comments)]);
      } else overrides.push([each.name, argumentCode(each, this.references).code(undefined)]);
    }
    if (validation.length > 0)
      members.push(["validation", { kind: "array", elements: validation }]);
    return {
      className: "TerraformVariable",
      args: [{ kind: "object", members }],
      calls: overridden(overrides),
    };
  }

  #output({ items }: SourceItem): Parts {
    const { own, meta } = this.#meta(items);
    const members: Member[] = [...meta.members];
    const overrides: Member[] = [];
    for (const each of own) {
      if (each.kind === "block") throw unconvertible(`${each.name} has no property`);
      const isKnown = /^(?:value|description|sensitive)$/.test(each.name);
      const type = each.name === "sensitive" ? t.bool() : undefined;
      const reader = argumentCode(each, this.references);
      const value = reader.code(type);
      // cdktf cannot write null.
      const isWritable = !hasNull(value);
      const code = commented(isWritable ? value : templateCode(reader.expression()), each.comments);
      if (isKnown) members.push([each.name, code]);
      else overrides.push([each.name, code]);
    }
    return { className: "TerraformOutput", args: object(members), calls: overridden(overrides) };
  }
}

/** Checks whether cdktf writes a value unchanged. */
function isPlain(code: Code): boolean {
  if (code.kind === "array") return code.elements.every(isPlain);
  if (code.kind !== "object") return code !== noValue;
  return code.members.every(([name, value]) => /^[a-z\d_]+$/.test(name) && isPlain(value));
}

function hasNull(code: Code): boolean {
  if (code.kind === "array") return code.elements.some(hasNull);
  return code.kind === "object" ? code.members.some(([, each]) => hasNull(each)) : code === noValue;
}

/** The type of a variable on one line, without comments. */
function typeText({ expression }: SourceItem): string {
  return codeOnly(expression?.text ?? "")
    .replaceAll(/(?<=[^\s,({[])\s*\n\s*(?=[^\s)\]}])/g, ", ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
