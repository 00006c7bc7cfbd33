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
 * The base class of the construct: a getter for each input and output that the construct does not define itself, and a
 * constructor unless the construct has its own.
 *
 * @param {RoomText} text
 */
export function baseClass(text) {
  const { construct, binding, declaration, ownMembers, ownProps, folder } = text.room;
  const [name, meta] = parentOf(declaration);
  const library = posix.relative(folder, "src/core/construct");
  text.import(library, name);
  const module = posix.relative(folder, binding.module);
  const alias = binding.name === construct ? `${binding.name}Binding` : binding.name;
  const imported = alias === binding.name ? alias : `${binding.name} as ${alias}`;
  const isWhole = !ownMembers.has("constructor");
  if (isWhole && ownProps !== undefined) {
    throw new Error(`${folder}/construct.ts needs a constructor: its properties are not generated`);
  }
  text.import(library, `type ${meta}`);
  text.import(module, isWhole ? imported : `type ${imported}`);
  const getters = [
    typeToken(text, library),
    isWhole ? constructor(text, alias) : "",
    ...Object.entries(declaration.attributes).map(([each, attribute]) =>
      ownMembers.has(each) ? "" : getter(text, each, attribute),
    ),
    ...Object.entries(declaration.blocks).map(([each, block]) =>
      ownMembers.has(each) || each === "timeouts" ? "" : blockGetter(text, each, block, module),
    ),
  ];
  const hasProperties =
    Object.keys(declaration.blocks).length > 0 ||
    Object.values(declaration.attributes).some(({ presence }) => presence !== "computed");
  const own = hasProperties ? `, ${construct}Props` : "";
  return `${comment([`The inputs and outputs of {@link ${construct}}, as references.`])}
export abstract class ${construct}Base${isWhole ? "" : `<Props extends ${meta}>`} extends ${name}<${alias}${isWhole ? own : ", Props"}> {
${getters.filter((text) => text !== "").join("\n\n")}
}`;
}

/**
 * A constructor that passes the properties to the binding: blocks by the binding's names.
 *
 * @param {RoomText} text
 * @param {string} binding
 */
function constructor(text, binding) {
  const { construct, declaration, declared } = text.room;
  const attributes = Object.entries(declaration.attributes);
  const given = attributes.filter(([, { presence }]) => presence !== "computed");
  const blocks = Object.entries(declaration.blocks).map(([name, block]) => {
    return /** @type {const} */ ([name, camelCase(text.schema.wireName(name, block))]);
  });
  const renamed = blocks.filter(([name, own]) => name !== own);
  // A resource without a property does nothing.
  const isOptional =
    declaration.kind !== "resource" &&
    given.every(([, { presence }]) => presence !== "required") &&
    Object.values(declaration.blocks).every(({ min = 0 }) => min === 0);
  text.import("constructs", "type Construct");
  text.import("./declare", declared);
  const config = [
    "...config",
    ...renamed.map(([name, own]) =>
      declaration.blocks[name]?.min === undefined
        ? `...(${name} !== undefined && { ${own}: ${name} })`
        : `${own}: ${name}`,
    ),
  ];
  const build =
    renamed.length === 0
      ? `(...given) => new ${binding}(...given)`
      : `(parent, childId, { ${renamed.map(([name]) => name).join(", ")}, ...config }) =>
      new ${binding}(parent, childId, { ${config.join(", ")} })`;
  return `constructor(scope: Construct, id: string, props: ${construct}Props${isOptional ? " = {}" : ""}) {
    super(scope, id, ${declared}, props, ${build});
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
