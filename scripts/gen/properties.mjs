// @ts-check
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../providers.mjs";
import { comment, sentence } from "./doc-comment.mjs";
import { valueList } from "./enumerations.mjs";
import { capital, pascal, singular } from "./names.mjs";
import { parentOf } from "./rooms.mjs";

/** @typedef {import("./room-text.mjs").RoomText} RoomText */
/** @typedef {import("../../src/core/schema/index.js").Attribute} Attribute */
/** @typedef {import("../../src/core/schema/index.js").Block} Block */
/** @typedef {import("../../src/core/schema/index.js").Fields} Fields */
/** @typedef {import("../../src/core/schema/index.js").Attribute["type"]} Type */

/** The interfaces of nested blocks whose names are not those of the construct and the block. */
const nestedNames = new Map([
  ["AgentMemory", "AgentMemoryMonitoring"],
  ["AgentVolume", "AgentVolumeMonitoring"],
]);

const timeoutTexts = new Map([
  ["create", "Timeout of the creation, such as `90s` or `1h30m`."],
  ["read", "Timeout of the reading, such as `90s`."],
  ["update", "Timeout of an update in place, such as `90s` or `1h30m`."],
  ["delete", "Timeout of the deletion, such as `90s` or `1h30m`."],
]);

/**
 * The interface of the construct's properties, after those of its blocks.
 *
 * @param {RoomText} text
 * @returns {readonly string[]}
 */
export function interfaces(text) {
  /** @type {string[]} */
  const nested = [];
  const own = ownInterface(text, nested);
  return [...nested, own];
}

/**
 * @param {RoomText} text
 * @param {string[]} nested gets the interfaces of blocks
 */
function ownInterface(text, nested) {
  const { construct, declaration, ownProps, slice } = text.room;
  const name = ownProps === undefined ? `${construct}Props` : `${construct}BaseProps`;
  const [, meta] = parentOf(declaration);
  const members = membersOf(text, declaration, ownProps ?? new Set(), nested);
  const subject = /^[AEIOU]/.test(construct) ? `an {@link ${construct}}` : `a {@link ${construct}}`;
  const what = text.isProvider ? "settings" : "properties";
  if (members === "") {
    return `${comment([`The properties of ${subject}: only the meta-arguments.`])}
export type ${name} = ${meta};`;
  }
  // Only some slices serve several products.
  const hasProducts = existsSync(join(root, "src", "core", slice, "product"));
  const parent = text.isProvider && !hasProducts ? `Pick<${meta}, "alias">` : meta;
  const rules = rulesOf(text, declaration);
  return `${comment([`The ${what} of ${subject}.`, rules])}
export interface ${name} extends ${parent} {
${members}
}`;
}

/**
 * The rules on several properties, as a list. What concerns one property is in its own comment.
 *
 * @param {RoomText} text
 * @param {Fields} fields
 */
function rulesOf(text, { rules = [] }) {
  return rules
    .filter(({ code }) => code !== "ADVICE")
    .map((rule) => `- ${text.translated(rule.doc((/** @type {string} */ name) => name))}`)
    .join("\n");
}

/**
 * The properties of a declaration or a block.
 *
 * @param {RoomText} text
 * @param {Fields} fields
 * @param {ReadonlySet<string>} except
 * @param {string[]} nested gets the interfaces of blocks
 */
function membersOf(text, fields, except, nested) {
  const { attributes, blocks = {} } = fields;
  const members = [
    ...Object.entries(attributes)
      .filter(([name, { presence }]) => presence !== "computed" && !except.has(name))
      .map(([name, attribute]) => property(text, name, attribute, fields)),
    ...Object.entries(blocks)
      .filter(([name]) => !except.has(name))
      .map(([name, block]) => blockProperty(text, name, block, nested)),
  ];
  return members.join("\n");
}

/**
 * @param {RoomText} text
 * @param {string} name
 * @param {Attribute} attribute
 * @param {Fields} fields what has the attribute
 */
function property(text, name, attribute, fields) {
  const { type, presence, requiresReplace, sensitive, deprecated } = attribute;
  const { summary, details, byDefault } = text.doc(attribute.doc, type);
  const enumeration = text.enumerationOf(type);
  const isOptional = presence !== "required";
  const paragraphs = [
    summary,
    enumeration === undefined ? "" : valueList(enumeration.meanings),
    [
      ...details,
      ...ownRules(text, name, type, fields),
      ...(sensitive === true
        ? ["Use a Terraform variable: a literal value is written to the stack's files."]
        : []),
      ...(enumeration === undefined ? [] : ["Pass a string token as `Token.asAny(token)`."]),
      ...(requiresReplace === true ? ["A change replaces the resource."] : []),
    ].join(" "),
  ];
  const tags = [
    ...(isOptional ? [`@default ${defaultOf(attribute, byDefault)}`] : []),
    ...text.deprecation(deprecated),
  ];
  const plain = text.typeOf(type);
  return `${comment(paragraphs, tags)}
readonly ${name}${isOptional ? "?" : ""}: ${plain}${isOptional ? " | undefined" : ""};`;
}

/**
 * @param {Attribute} attribute
 * @param {string | undefined} byDefault
 */
function defaultOf({ default: value, env = [] }, byDefault) {
  const variables = env.join(", ").replace(/, ([^,]*)$/, " or $1");
  if (value !== undefined) return typeof value === "string" ? value : JSON.stringify(value);
  if (variables === "") return byDefault ?? "none";
  return byDefault === undefined ? variables : `${variables}, else ${byDefault}`;
}

/**
 * The rules on the value of one property, as sentences.
 *
 * @param {RoomText} text
 * @param {string} name
 * @param {Type} type
 * @param {Fields} fields
 */
function ownRules(text, name, type, { rules = [] }) {
  /** @type {readonly string[]} */
  const must = text.schema.ruleDocs(type);
  const advice = rules
    .filter(({ code, inputs }) => code === "ADVICE" && inputs[0] === name)
    .map((rule) => `\`${name}\` ${rule.doc((/** @type {string} */ each) => each)}`);
  return [must.join("; "), ...advice]
    .filter((each) => each !== "")
    .map((each) => sentence(text.translated(each)));
}

/**
 * @param {RoomText} text
 * @param {string} name
 * @param {Block} block
 * @param {string[]} nested gets the interfaces of blocks
 */
function blockProperty(text, name, { doc, fields, min = 0, max, nesting, deprecated }, nested) {
  const { summary, details, byDefault } = text.doc(doc);
  const isOptional = min === 0;
  const isOne = max === 1 || nesting === "single";
  const element = isOne
    ? blockInterface(text, name, summary, fields, nested)
    : blockInterface(text, singular(name), `An element of \`${name}\`.`, fields, nested);
  if (!isOne) text.import("cdktf", "type IResolvable");
  const tags = [
    ...(isOptional ? [`@default ${byDefault ?? "none"}`] : []),
    ...text.deprecation(deprecated),
  ];
  const type = isOne ? element : `readonly ${element}[] | IResolvable`;
  return `${comment([summary, details.join(" ")], tags)}
readonly ${name}${isOptional ? "?" : ""}: ${type}${isOptional ? " | undefined" : ""};`;
}

/**
 * Writes the interface of a block, and returns its name.
 *
 * @param {RoomText} text
 * @param {string} name
 * @param {string} doc
 * @param {Fields} fields
 * @param {string[]} nested gets the interfaces of blocks
 */
function blockInterface(text, name, doc, fields, nested) {
  const isTimeouts = name === "timeouts";
  const derived = prefix(text) + capital(name);
  const own = nestedNames.get(derived) ?? derived;
  const members = isTimeouts ? timeouts(text) : membersOf(text, fields, new Set(), nested);
  nested.push(`${comment([doc, rulesOf(text, fields)])}
export interface ${own} {
${members}
}`);
  return own;
}

/**
 * What begins the names of nested interfaces.
 *
 * @param {RoomText} text
 */
function prefix({ room: { construct, slice }, isProvider }) {
  return isProvider ? "" : construct.replace(new RegExp(`^Data(?:${pascal(slice)}(?=.))?`), "");
}

/** @param {RoomText} text */
function timeouts(text) {
  return Object.entries(text.room.declaration.timeouts)
    .map(
      ([name, ms]) => `${comment(
        [timeoutTexts.get(name) ?? ""],
        [`@default ${text.schema.formatDuration(ms)}`],
      )}
readonly ${name}?: string | undefined;`,
    )
    .join("\n");
}
