// @ts-check
import { comment, sentence } from "./doc-comment.mjs";

/** @typedef {import("./rooms.mjs").Room} Room */
/** @typedef {import("../../src/core/schema/index.js").Fields} Fields */
/** @typedef {Readonly<Record<string, string>>} Meanings */
/**
 * @typedef {object} Enumeration values with their meanings
 * @property {string} name its name in TypeScript
 * @property {string} doc the comment of the table
 * @property {Meanings} meanings
 * @property {Room} room the room that declares it
 * @property {string} file the file of the room that exports it to users
 */

/**
 * The enumerations of a slice. Those that `enums.ts` has are written by hand.
 *
 * @param {readonly Room[]} rooms
 * @returns {readonly Enumeration[]}
 */
export function enumerationsOf(rooms) {
  return rooms.flatMap((room) => [
    ...room.tables.map((table) => ({ ...table, room, file: "generated" })),
    ...[...room.ownEnums].map(([name, values]) => ({
      name,
      doc: "",
      meanings: Object.fromEntries(values.map((value) => [value, ""])),
      room,
      file: "enums",
    })),
  ]);
}

/**
 * The enumerations that a declaration uses and its room declares, also for properties that are written by hand.
 *
 * @param {Fields} fields
 * @param {Room} room
 * @param {readonly Enumeration[]} all
 * @returns {ReadonlySet<Enumeration>}
 */
export function enumerationsIn({ attributes, blocks = {} }, room, all) {
  const types = Object.values(attributes).map(({ type }) => type);
  const own = all.filter(
    (each) =>
      each.room.folder === room.folder &&
      each.file === "generated" &&
      canonical(each, all) === each,
  );
  const used = own.filter(({ meanings }) =>
    types.some((type) => type.kind === "string" && isSame(type.values, meanings)),
  );
  const below = Object.values(blocks).flatMap(({ fields }) => [
    ...enumerationsIn(fields, room, all),
  ]);
  return new Set([...used, ...below]);
}

/**
 * The enumeration that users see: of those with the same values, the one that is written by hand, or the first.
 *
 * @param {Enumeration} one
 * @param {readonly Enumeration[]} all
 */
export function canonical(one, all) {
  const same = all.filter(({ meanings }) => isSame(Object.keys(one.meanings), meanings));
  return same.find(({ file }) => file === "enums") ?? same[0] ?? one;
}

/**
 * @param {readonly string[] | undefined} values
 * @param {Readonly<Record<string, string>>} meanings
 */
export const isSame = (values, meanings) => values?.join("\n") === Object.keys(meanings).join("\n");

/** @param {string} value such as `slim-window`, `cloudA-identity` or `list(string)` */
const memberName = (value) =>
  value
    .replace(/^(\w+)\((\w+)\)$/, "$1_of_$2s")
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll(/\W/g, "_")
    .toUpperCase();

/** @param {Enumeration} enumeration */
export function enumeration({ name, doc, meanings }) {
  const members = Object.entries(meanings).map(
    ([value, meaning]) =>
      `${comment([sentence(meaning).replace(/\.\.$/, ".")])}\n${memberName(value)}: ${JSON.stringify(value)},`,
  );
  return `${comment([doc])}
export const ${name} = {
${members.join("\n")}
} as const;

${comment([`One of the values of {@link ${name}}.`])}
export type ${name} = (typeof ${name})[keyof typeof ${name}];`;
}

/** @param {Readonly<Record<string, string>>} meanings */
export function valueList(meanings) {
  return Object.entries(meanings)
    .map(([value, meaning]) => `- \`${value}\`: ${meaning.replace(/\.$/, "")}`)
    .join("\n");
}
