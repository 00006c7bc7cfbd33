// @ts-check
import { posix } from "node:path";
import { comment } from "./doc-comment.mjs";
import { camelCase, capital } from "./names.mjs";
import { parentOf } from "./rooms.mjs";

/** @typedef {import("./room-text.mjs").RoomText} RoomText */
/** @typedef {import("../../src/core/schema/index.js").Attribute} Attribute */
/** @typedef {import("../../src/core/schema/index.js").Block} Block */
/** @typedef {import("../../src/core/schema/index.js").Fields} Fields */
/** @typedef {import("../../src/core/schema/index.js").Attribute["type"]} Type */

/**
 * The base class of the construct: a getter for each input and output that the construct does not define itself.
 *
 * @param {RoomText} text
 */
export function baseClass(text) {
  const { construct, binding, declaration, ownMembers, folder } = text.room;
  const [name, meta] = parentOf(declaration);
  const library = posix.relative(folder, "src/core/construct");
  text.import(library, name);
  text.import(library, `type ${meta}`);
  const module = posix.relative(folder, binding.module);
  const alias = binding.name === construct ? `${binding.name}Binding` : binding.name;
  text.import(
    module,
    alias === binding.name ? `type ${alias}` : `type ${binding.name} as ${alias}`,
  );
  const getters = [
    typeToken(text, library),
    ...Object.entries(declaration.attributes).map(([each, attribute]) =>
      ownMembers.has(each) ? "" : getter(text, each, attribute),
    ),
    ...Object.entries(declaration.blocks).map(([each, block]) =>
      ownMembers.has(each) || each === "timeouts" ? "" : blockGetter(text, each, block, module),
    ),
  ];
  return `${comment([`The inputs and outputs of {@link ${construct}}, as references.`])}
export abstract class ${construct}Base<Props extends ${meta}> extends ${name}<${alias}, Props> {
${getters.filter((text) => text !== "").join("\n\n")}
}`;
}

/**
 * @param {RoomText} text
 * @param {string} library
 */
function typeToken(text, library) {
  const { construct, declaration, slice } = text.room;
  if (text.isProvider) return "";
  text.import(library, "product");

  return `${comment([`Name of the ${declaration.kind} type, the same for all products.`])}
static readonly typeToken = \`\${product.name}:${slice}/v1:${construct}\`;`;
}

/**
 * @param {RoomText} text
 * @param {string} name
 * @param {Attribute} attribute
 */
function getter(text, name, attribute) {
  const { type, presence, sensitive, deprecated } = attribute;
  const { summary, details } = text.doc(attribute.doc, type);
  // What the configuration says is documented where users write it.
  const isOutput = presence === "computed" || isResolved(attribute);
  const words = [
    summary,
    ...(isOutput ? details : []),
    ...(sensitive === true ? ["A secret."] : []),
    ...reading(text, name, type),
  ].join(" ");
  const own = camelCase(text.schema.wireName(name, attribute));
  const [returned, value] = valueOf(text, type, `this.resource.${own}`, presence);
  return `${comment([words], text.deprecation(deprecated))}
get ${name}(): ${returned} { return ${value}; }`;
}

/** @param {Attribute} attribute */
const isResolved = ({ presence, default: value }) =>
  presence === "optionalComputed" && value === undefined;

/**
 * The type of a getter, and what it returns.
 *
 * @param {RoomText} text
 * @param {Type} type
 * @param {string} value
 * @param {string} presence
 * @returns {readonly [string, string]}
 */
function valueOf(text, type, value, presence) {
  if (text.isProvider) {
    const plain = type.kind === "string" ? "string" : text.typeOf(type);
    return [`${plain} | undefined`, value];
  }
  if (type.kind === "bool" || (type.kind === "string" && type.values !== undefined)) {
    text.import("cdktf", "type IResolvable");
    text.import("cdktf", "Token");
    return ["IResolvable", `Token.asAny(${value})`];
  }
  if (type.kind === "list" && type.of.kind === "object") {
    const list = `${text.room.binding.name}${capital(value.slice("this.resource.".length))}List`;
    text.import(posix.relative(text.room.folder, text.room.binding.module), `type ${list}`);
    return [list, value];
  }
  const plain = text.typeOf(type);
  return [presence === "computed" ? plain.replace(/^readonly /, "") : plain, value];
}

/**
 * How to read one value of a collection.
 *
 * @param {RoomText} text
 * @param {string} name
 * @param {Type} type
 */
function reading(text, name, type) {
  const whole = `${camelCase(text.room.construct.replace(/^Data/, ""))}.${name}`;
  if (text.isProvider) return [];
  if (type.kind === "map") return [`Read one with \`Fn.lookup(${whole}, "key")\`.`];
  if (type.kind !== "list") return [];
  return type.of.kind === "object"
    ? [`Read one with \`${name}.get(0)\`.`]
    : [`Read one with \`Fn.element(${whole}, 0)\`.`];
}

/**
 * @param {RoomText} text
 * @param {string} name
 * @param {Block} block
 * @param {string} module
 */
function blockGetter(text, name, { doc, nesting, max, wire, deprecated }, module) {
  const own = camelCase(text.schema.wireName(name, { wire }));
  const element = `${text.room.binding.name}${capital(own)}`;
  const { summary, details } = text.doc(doc);
  if (text.isProvider) {
    text.import(module, `type ${element}`);
    text.import("cdktf", "type IResolvable");
    const returned = max === 1 ? element : `readonly ${element}[]`;
    return `${comment([summary])}
get ${name}(): ${returned} | IResolvable | undefined { return this.resource.${own}; }`;
  }
  if (nesting !== "list" || max === 1) {
    throw new Error(`${text.room.folder}/construct.ts needs a getter ${name}`);
  }
  text.import(module, `type ${element}List`);
  const words = [summary, ...details, `Read one with \`${name}.get(0)\`.`].join(" ");
  return `${comment([words], text.deprecation(deprecated))}
get ${name}(): ${element}List { return this.resource.${own}; }`;
}
