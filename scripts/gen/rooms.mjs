// @ts-check
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../providers.mjs";
import { loadSource } from "../source.mjs";
import { kebab, pascal, singular } from "./names.mjs";

/** @type {typeof import("typescript")} */
const ts = createRequire(import.meta.url)("typescript");

/** @typedef {import("../../src/core/schema/index.js").Declaration} Declaration */
/** @typedef {import("./enumerations.mjs").Enumeration} Enumeration */
/**
 * @typedef {object} Room a declaration in a folder, and its construct
 * @property {string} slice
 * @property {string} folder from the root, such as `src/core/ids/endpoint`
 * @property {string} construct the class, such as `Endpoint` or `DataVerify`
 * @property {{ readonly name: string, readonly module: string }} binding
 * @property {Declaration} declaration
 * @property {string} declared the name of the declaration in `declare.ts`
 * @property {ReadonlySet<string>} ownMembers what the class defines itself
 * @property {ReadonlySet<string> | undefined} ownProps what the interface of its properties defines itself, if there is one
 * @property {readonly Omit<Enumeration, "room" | "file">[]} tables
 * @property {ReadonlyMap<string, readonly string[]>} ownEnums
 */

/**
 * The declarations of a slice that have a construct, by folder.
 *
 * @param {string} slice
 * @returns {Promise<readonly Room[]>}
 */
export async function roomsOf(slice) {
  const names = await readdir(join(root, "src", "core", slice));
  const folders = names.map((name) => `src/core/${slice}/${name}`);
  const withConstruct = folders.filter(
    (folder) => has(folder, "declare.ts") && has(folder, "construct.ts"),
  );
  const rooms = await Promise.all(withConstruct.sort().map((folder) => roomsIn(slice, folder)));
  return rooms.flat();
}

/**
 * @param {string} slice
 * @param {string} folder
 * @returns {Promise<readonly Room[]>} none if it declares functions only
 */
async function roomsIn(slice, folder) {
  const path = `${folder}/declare.ts`;
  /** @type {Record<string, any>} */
  const exported = await loadSource(path);
  const source = await parsed(path);
  const construct = await parsed(`${folder}/construct.ts`);
  const props = (await parsed(`${folder}/props.ts`)) ?? construct;
  const tables = variables(source).flatMap(([name, statement]) => {
    const table = exported[name];
    const isTable =
      table !== undefined && Object.values(table).every((each) => typeof each === "string");
    return isTable
      ? [{ name: pascal(singular(name)), doc: commentOf(statement), meanings: table }]
      : [];
  });
  const ownEnums = new Map(
    variables(await parsed(`${folder}/enums.ts`)).map(([name, statement]) => [
      name,
      [...statement.getText().matchAll(/^ {2}\w+: "(.*)",$/gm)].map(([, value = ""]) => value),
    ]),
  );
  const declarations = variables(source).filter(([name]) => kinds.has(exported[name]?.kind));
  return declarations.map(([declared], index) => {
    const declaration = exported[declared];
    const names = namesOf(slice, declaration);
    return {
      slice,
      folder,
      ...names,
      declaration,
      declared,
      ownMembers: memberNames(construct, names.construct) ?? new Set(),
      ownProps: memberNames(props, `${names.construct}Props`),
      // The declarations of a folder share its enumerations.
      tables: index === 0 ? tables : [],
      ownEnums: index === 0 ? ownEnums : new Map(),
    };
  });
}

const kinds = new Set(["provider", "resource", "data source"]);

/**
 * @param {string} slice
 * @param {Declaration} declaration
 */
function namesOf(slice, { kind, type }) {
  const noun = type.slice(slice.length + 1);
  const module = `bindings/providers/${slice}/`;
  if (kind === "provider") {
    const construct = `${pascal(slice)}Provider`;
    return { construct, binding: { name: construct, module: `${module}provider` } };
  }
  if (kind === "resource") {
    const construct = pascal(noun);
    return { construct, binding: { name: construct, module: module + kebab(noun) } };
  }
  return {
    construct: `Data${pascal(noun)}`,
    binding: { name: `Data${pascal(type)}`, module: `${module}data-${kebab(type)}` },
  };
}

/** @param {Declaration} declaration */
export function parentOf({ kind }) {
  return parents[/** @type {keyof typeof parents} */ (kind)];
}

/** The base class of each kind of construct, and its meta-arguments. */
const parents = /** @type {const} */ ({
  provider: ["ProviderConstruct", "ProviderMetaArguments"],
  resource: ["ResourceConstruct", "MetaArguments"],
  "data source": ["DataSourceConstruct", "DataSourceMetaArguments"],
});

/**
 * @param {string} path
 * @returns {Promise<import("typescript").SourceFile | undefined>}
 */
async function parsed(path) {
  if (!existsSync(join(root, path))) return undefined;
  const text = await readFile(join(root, path), "utf8");
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/**
 * The members of a class or an interface; undefined without it.
 *
 * @param {import("typescript").SourceFile | undefined} source
 * @param {string} name
 */
function memberNames(source, name) {
  for (const statement of source?.statements ?? []) {
    const isInterface = ts.isInterfaceDeclaration(statement);
    if (!isInterface && !ts.isClassDeclaration(statement)) continue;
    if (statement.name?.text !== name) continue;
    // A property without a comment only narrows the generated one, and has its comment.
    const own = [...statement.members].filter(
      (member) => !isInterface || ts.getJSDocCommentsAndTags(member).length > 0,
    );
    return new Set(
      own.flatMap((member) =>
        ts.isConstructorDeclaration(member) ? "constructor" : (member.name?.getText() ?? []),
      ),
    );
  }
  return undefined;
}

/**
 * The exported variables of a module, with their statements.
 *
 * @param {import("typescript").SourceFile | undefined} source
 * @returns {readonly (readonly [string, import("typescript").VariableStatement])[]}
 */
function variables(source) {
  return (source?.statements ?? []).flatMap((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(
          ({ name }) => /** @type {const} */ ([name.getText(), statement]),
        )
      : [],
  );
}

/** @param {import("typescript").Node} node */
function commentOf(node) {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return ts.getTextOfJSDocComment(comment?.comment) ?? "";
}

/**
 * @param {string} folder
 * @param {string} file
 */
const has = (folder, file) => existsSync(join(root, folder, file));
