// @ts-check
import { posix } from "node:path";
import { readDoc } from "./doc-comment.mjs";
import { canonical, isSame } from "./enumerations.mjs";

/** @typedef {import("./rooms.mjs").Room} Room */
/** @typedef {import("./enumerations.mjs").Enumeration} Enumeration */
/** @typedef {import("../../src/core/schema/index.js").Attribute} Attribute */
/** @typedef {import("../../src/core/schema/index.js").Attribute["type"]} Type */

/** What all parts of the generated file of a room need: its imports, types, and documentation with names in TypeScript. */
export class RoomText {
  #imports;
  #words;
  #enumerations;

  /**
   * @param {Room} room
   * @param {object} known
   * @param {any} known.schema
   * @param {ReadonlyMap<string, string>} known.words
   * @param {readonly Enumeration[]} known.enumerations
   * @param {Map<string, Set<string>>} known.imports names by module, of the whole file
   */
  constructor(room, { schema, words, enumerations, imports }) {
    this.room = room;
    this.#imports = imports;
    this.schema = schema;
    this.#words = words;
    this.#enumerations = enumerations;
  }

  /**
   * @param {string} module relative, or a package
   * @param {string} name
   */
  import(module, name) {
    this.#imports.set(module, (this.#imports.get(module) ?? new Set()).add(name));
  }

  get isProvider() {
    return this.room.declaration.kind === "provider";
  }

  /**
   * @param {Type} type
   * @returns {string} the type of a property
   */
  typeOf(type) {
    const enumeration = this.enumerationOf(type);
    if (enumeration !== undefined) {
      this.import("cdktf", "type IResolvable");
      return `${enumeration.name} | IResolvable`;
    }
    switch (type.kind) {
      case "string":
        return "string";
      case "number":
      case "integer":
        return "number";
      case "bool":
        this.import("cdktf", "type IResolvable");
        return "boolean | IResolvable";
      case "list":
        return `readonly ${this.typeOf(type.of)}[]`;
      case "map":
        return `Readonly<Record<string, ${this.typeOf(type.of)}>>`;
      default:
        throw new Error(`No property has the type ${type.kind} yet`);
    }
  }

  /**
   * The enumeration of a type, which the file then declares or imports.
   *
   * @param {Type} type
   */
  enumerationOf(type) {
    if (type.kind !== "string" || type.values === undefined) return undefined;
    const all = this.#enumerations.filter(({ meanings }) => isSame(type.values, meanings));
    const explained =
      all.find(({ room, file }) => room.folder === this.room.folder && file === "generated") ??
      all[0];
    if (explained === undefined) {
      throw new Error(`No table in a declare.ts has the values ${type.values.join(", ")}`);
    }
    const { room, file, name } = canonical(explained, this.#enumerations);
    if (room.folder !== this.room.folder || file === "enums") {
      const path = posix.relative(this.room.folder, `${room.folder}/${file}`);
      this.import(path.startsWith(".") ? path : `./${path}`, `type ${name}`);
    }
    return { name, meanings: explained.meanings };
  }

  /**
   * @param {string} text
   * @param {Type} [type]
   */
  doc(text, type) {
    const meanings = type === undefined ? undefined : this.enumerationOf(type)?.meanings;
    return readDoc(
      this.translated(text),
      meanings === undefined ? "" : this.translated(this.schema.enumMeanings(meanings)),
    );
  }

  /** @param {Attribute["deprecated"]} text */
  deprecation(text) {
    if (text === undefined) return [];
    const written = typeof text === "string" ? text : text((name) => name);
    return [`@deprecated ${this.translated(written)}`];
  }

  /** @param {string} text with Terraform's names */
  translated(text) {
    return text.replaceAll(/`(\w+)`/g, (code, word) => {
      const name = this.#words.get(word);
      return name === undefined ? code : `\`${name}\``;
    });
  }
}

/**
 * The import statements of a file.
 *
 * @param {ReadonlyMap<string, ReadonlySet<string>>} imports names by module
 */
export function importStatements(imports) {
  const statements = [...imports].map(([module, names]) => {
    const list = [...names].sort();
    return list.every((name) => name.startsWith("type "))
      ? `import type { ${list.map((name) => name.slice(5)).join(", ")} } from "${module}";`
      : `import { ${list.join(", ")} } from "${module}";`;
  });
  // Packages first, as everywhere.
  return statements.sort().sort((a, b) => Number(isRelative(a)) - Number(isRelative(b)));
}

/** @param {string} statement */
const isRelative = (statement) => statement.includes('from ".');
