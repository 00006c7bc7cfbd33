import { isNumber, type Value } from "../../planner/expression/value";
import { numberText } from "../../core/provider-kit/values";
import { type Block, type Fields, type Type, wireName } from "../../core/schema";
import type { Importable } from "./importable";
import { type Inputs, isEmpty } from "./inputs";
import { type Code, commentText, constructText, stringCode } from "./source-text";

export interface Found extends Inputs {
  /** The name for people, such as `us-central1-f/edge`. */
  readonly displayName: string;
  readonly importId: string;
}

/**
 * Writes a module with a function that adds a construct for each resource to a scope.
 *
 * @param isOther true if the constructs need another provider than the default one
 */
export function constructSource(
  { className, imports, definition, declaration, isOneOfSeveral }: Importable,
  resources: readonly Found[],
  isOther: boolean,
): string {
  const noun = className.split(".").at(-1) ?? className;
  const ids = constructIds(resources, noun, isOneOfSeveral);
  const statements = resources.map((found, at) => {
    const { values, importId } = found;
    const given = members(declaration, values);
    const provider: readonly [string, Code] = ["provider", { kind: "text", text: "provider" }];
    const all = isOther ? [...given, provider] : given;
    const id = ids[at] ?? found.displayName;
    return remarks(found) + constructText(className, id, all, importId);
  });
  const parameters = isOther ? "scope: Construct, provider: Provider" : "scope: Construct";
  const givenTo = `NonNullable<ConstructorParameters<typeof ${className}>[2]>`;
  return [
    'import type { Construct } from "constructs";',
    ...imports,
    "",
    ...(definition === undefined ? [] : [definition, ""]),
    ...(isOther ? [`type Provider = ${givenTo}["provider"];`, ""] : []),
    "/**",
    ` * Adds existing resources of type ${declaration.type}. The first deployment`,
    " * imports them. Then `importFrom` can be removed.",
    " */",
    `export function add${noun}s(${parameters}): void {`,
    `${statements.join("\n")}}`,
    "",
  ].join("\n");
}

function remarks({ secrets, changed, errors, displayName }: Found): string {
  const lines = [
    ...secrets.map((name) => `Set ${name}, which is sensitive and not written here.`),
    ...(changed.length > 0
      ? [`The plan for ${displayName} is not empty: it changes ${changed.join(", ")}.`]
      : []),
    ...errors.map((error) => `Correct this: ${error}`),
  ];
  return lines.map((line) => `  ${commentText(line)}\n`).join("");
}

/** The IDs of the constructs: the last parts of the names if they differ, else the whole names. */
function constructIds(
  resources: readonly Found[],
  noun: string,
  hasNoun: boolean,
): readonly string[] {
  const idOf = (name: string): string => {
    const plain = name
      .normalize("NFKD")
      .replaceAll(/[^\w-]+/g, "-")
      .replaceAll(/^-+|-+$/g, "");
    return /^[A-Za-z_]/.test(plain) && !hasNoun ? plain : `${noun.toLowerCase()}-${plain}`;
  };
  const short = resources.map(({ displayName }) => idOf(displayName.split("/").at(-1) ?? ""));
  const isUnique = new Set(short.map((id) => id.toLowerCase())).size === short.length;
  const ids = isUnique ? short : resources.map(({ displayName }) => idOf(displayName));
  const taken = new Set<string>();
  return ids.map((id) => {
    let free = id;
    for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${id}-${count}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

/** The values that are set, by property. */
function members(fields: Fields, values: Value): readonly (readonly [string, Code])[] {
  const parts = values.members();
  const attributes = Object.entries(fields.attributes).flatMap(([name, attribute]) => {
    const value = parts.get(wireName(name, attribute));
    return value === undefined || value.isNull
      ? []
      : [[name, valueCode(value, attribute.type)] as const];
  });
  const blocks = Object.entries(fields.blocks ?? {}).flatMap(([name, block]) => {
    const value = parts.get(wireName(name, block));
    return value === undefined || isEmpty(value) ? [] : [[name, blockCode(value, block)] as const];
  });
  return [...attributes, ...blocks];
}

function blockCode(value: Value, { nesting, max, fields }: Block): Code {
  if (nesting === "single") return { kind: "object", members: members(fields, value) };
  const elements = value
    .elements()
    .map((each): Code => ({ kind: "object", members: members(fields, each) }));
  const [only] = elements;
  return max === 1 && only !== undefined ? only : { kind: "array", elements };
}

/** @param type undefined if the type is not declared */
function valueCode(value: Value, type: Type | undefined): Code {
  const { content } = value;
  if (value.isNull) return { kind: "text", text: "null" };
  if (typeof content === "string") return stringCode(content);
  if (isNumber(content)) {
    const text = numberText(content);
    if (type?.kind === "decimal") return stringCode(text);
    return { kind: "text", text: typeof content === "bigint" ? `${text}n` : text };
  }
  if (Array.isArray(content)) {
    const of = type !== undefined && "of" in type ? type.of : undefined;
    return { kind: "array", elements: value.elements().map((each) => valueCode(each, of)) };
  }
  if (typeof content === "boolean") return { kind: "text", text: String(content) };
  if (type?.kind === "object") return { kind: "object", members: members(type.fields, value) };
  const of = type !== undefined && "of" in type ? type.of : undefined;
  return {
    kind: "object",
    members: [...value.members()].map(([key, each]) => [key, valueCode(each, of)]),
  };
}
