import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import * as ts from "typescript";
import { root } from "./page";

/** Meanings by value, in the order of the source. */
type Meanings = ReadonlyMap<string, string>;

const parsed = (path: string): ts.SourceFile =>
  ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);

/** The first sentence in one line, without its capital letter and its full stop. */
const wording = (text: string): string => {
  const [line = ""] = text
    .replaceAll(/\s+/g, " ")
    .trim()
    .split(/\.(?: |$)/);
  return line.slice(0, 1).toLowerCase() + line.slice(1);
};

function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return ts.getTextOfJSDocComment(comment?.comment) ?? "";
}

/** The constants of a module that are objects, with these objects: `as const` and `satisfies` are left out. */
function objectsIn(
  source: ts.SourceFile,
): readonly (readonly [ts.VariableDeclaration, ts.ObjectLiteralExpression])[] {
  return source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap((declaration) => {
      let value: ts.Expression | undefined = declaration.initializer;
      while (value !== undefined && (ts.isAsExpression(value) || ts.isSatisfiesExpression(value))) {
        value = value.expression;
      }
      return value !== undefined && ts.isObjectLiteralExpression(value)
        ? [[declaration, value] as const]
        : [];
    });
}

const members = (object: ts.ObjectLiteralExpression) =>
  object.properties.filter(ts.isPropertyAssignment).flatMap((member) => {
    const { name, initializer } = member;
    return ts.isStringLiteralLike(initializer) &&
      (ts.isIdentifier(name) || ts.isStringLiteral(name))
      ? [{ member, name: name.text, value: initializer.text }]
      : [];
  });

/** The table in `declare.ts` of the same room whose keys are the values of an enum. */
function tableOf(
  enumeration: ts.VariableDeclaration,
  declare: ts.SourceFile,
): Meanings | undefined {
  const names = /keyof typeof (\w+)/.exec(enumeration.getText())?.slice(1) ?? [];
  const table = objectsIn(declare).find(([{ name }]) => names.includes(name.getText()));
  if (table === undefined) return undefined;
  return new Map(members(table[1]).map(({ name, value }) => [name, wording(value)]));
}

/** The files of one name in the rooms of all slices, as paths from the root. */
const inRooms = (name: string): readonly string[] =>
  readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.split(sep).length === 3 && path.endsWith(sep + name))
    .map((path) => join("src", path))
    .sort();

const enums = inRooms("enums.ts").flatMap((path) => {
  const declare = join(root, dirname(path), "declare.ts");
  return objectsIn(parsed(join(root, path))).map(([enumeration, object]) => ({
    name: enumeration.name.getText(),
    comments: new Map(
      members(object).map(({ member, value }) => [value, wording(commentOf(member))]),
    ),
    meanings: ts.sys.fileExists(declare) ? tableOf(enumeration, parsed(declare)) : undefined,
  }));
});

const declared = enums.flatMap(({ meanings, ...each }) =>
  meanings === undefined ? [] : [{ ...each, meanings }],
);

test("every enum has its meanings in declare.ts, but two", () => {
  // Those of `Conflict` differ between signing and attesting, and a predicate type is a URI.
  const others = enums.filter(({ meanings }) => meanings === undefined);
  expect(others.map(({ name }) => name).sort()).toEqual(["Conflict", "PredicateType"]);
});

test.each(declared)("the comments of $name say what declare.ts says", ({ comments, meanings }) => {
  expect([...comments]).toEqual([...meanings]);
});

/** The properties in `props.ts` that list the values of an enum. */
const lists = inRooms("props.ts").flatMap((path) => {
  const source = parsed(join(root, path));
  return source.statements
    .filter(ts.isInterfaceDeclaration)
    .flatMap((props) => [...props.members])
    .filter(ts.isPropertySignature)
    .flatMap((property) => {
      const words: readonly string[] = property.type?.getText().match(/\w+/g) ?? [];
      const found = declared.find(({ name }) => words.includes(name));
      const items = commentOf(property).split(/\n(?=- |\n)/);
      const listed = items.flatMap((item) => {
        const [, value, meaning] = /^- `([^`]+)`:? ([^]+)$/.exec(item) ?? [];
        return value === undefined || meaning === undefined
          ? []
          : [[value, wording(meaning)] as const];
      });
      return found === undefined || listed.length === 0
        ? []
        : [{ place: `${path} ${property.name.getText()}`, listed, meanings: found.meanings }];
    });
});

test("properties list the values of most enums", () => {
  expect(lists.length).toBeGreaterThan(10);
});

test.each(lists)("$place lists what declare.ts says", ({ listed, meanings }) => {
  expect(listed).toEqual([...meanings]);
});
