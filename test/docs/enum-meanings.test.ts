import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import * as ts from "typescript";
import { root } from "./page";

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

/** The nodes of one kind in the files of one name, in the rooms of all slices. */
const inRooms = <T extends ts.Node>(
  name: string,
  isWanted: (node: ts.Node) => node is T,
): readonly T[] =>
  readdirSync(join(root, "src/core"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.split(sep).length === 3 && path.endsWith(sep + name))
    .sort()
    .flatMap((path) => {
      const text = readFileSync(join(root, "src/core", path), "utf8");
      const found: T[] = [];
      const visit = (node: ts.Node): void => {
        if (isWanted(node)) found.push(node);
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
      return found;
    });

/** The generated enums, with the meaning of each value. */
const enums = new Map(
  inRooms("generated.ts", ts.isVariableDeclaration).map((declaration) => {
    const meanings: [string, string][] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.initializer)) {
        meanings.push([node.initializer.text, wording(commentOf(node))]);
      }
      ts.forEachChild(node, visit);
    };
    visit(declaration);
    return [declaration.name.getText(), meanings];
  }),
);

/** The properties that are written by hand and list the values of such an enum. */
const lists = inRooms("props.ts", ts.isPropertySignature).flatMap((property) => {
  const words: readonly string[] = property.type?.getText().match(/\w+/g) ?? [];
  const name = words.find((word) => enums.has(word));
  const items = commentOf(property).split(/\n(?=- |\n)/);
  const listed = items.flatMap((item) => {
    const [, value, meaning] = /^- `([^`]+)`:? ([^]+)$/.exec(item) ?? [];
    return value === undefined || meaning === undefined ? [] : [[value, wording(meaning)] as const];
  });
  return name === undefined || listed.length === 0
    ? []
    : [{ place: property.name.getText(), listed, meanings: enums.get(name) }];
});

test("some properties that are written by hand list the values of an enum", () => {
  expect(enums.size).toBeGreaterThan(10);
  expect(lists).not.toEqual([]);
});

test.each(lists)("$place lists what declare.ts says", ({ listed, meanings }) => {
  expect(listed).toEqual(meanings);
});
