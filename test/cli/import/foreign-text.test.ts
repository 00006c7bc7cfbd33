import fc from "fast-check";
import ts from "typescript";
import { constructSource, type Found } from "../../../src/cli/import/construct-source";
import { evaluate } from "../../../src/planner/expression/evaluate";
import { parseTemplate } from "../../../src/planner/expression/parse";
import { Value } from "../../../src/planner/expression/value";
import { literalValue } from "../../../src/planner/offline-plan/body";
import {
  optional,
  providerRoutes,
  provider,
  required,
  resource,
  t,
} from "../../../src/core/provider-kit";

const note = resource("notes_note", {
  doc: "A note.",
  attributes: {
    fileName: required(t.string(), { doc: "Name." }),
    labels: optional(t.map(t.string()), { doc: "Labels." }),
    tags: optional(t.list(t.string()), { doc: "Tags." }),
  },
});

const importable = {
  declaration: note,
  source: "example.com/acme/notes",
  routes: providerRoutes({
    declaration: provider("notes", { source: "example.com/acme/notes", doc: "", attributes: {} }),
    configure: () => undefined,
    resources: [],
  }),
  className: "Note",
  imports: ['import { note } from "./note";'],
  isOneOfSeveral: false,
  definition: undefined,
};

/** Text that ends strings, comments and templates, or that nobody sees. */
const fragments = [
  ...Array.from("\n\r\u2028\u2029\u0085\u001b\u009b\u202e\u2066\u200b\ufeff\0\t\"'`\\${}*/-a "),
  "\ud800",
  "\udc00",
  "\u{e0041}",
  "*/",
  "//",
  "\n  process.exit(9);\n  //",
  "${",
  "$${",
  "%{",
  '${filebase64("/etc/hostname")}',
  "__proto__",
  "constructor",
  "\u001b]0;pwned\u0007",
  "edge",
];
const text = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(...fragments), maxLength: 12 }),
  )
  // As Terraform reads it.
  .map((any) => any.normalize());
const key = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "a", "1"));
const resources = fc.array(
  fc.record({
    displayName: text,
    importId: text,
    fileName: text,
    labels: fc.uniqueArray(fc.tuple(key, text), { maxLength: 3, selector: ([name]) => name }),
    tags: fc.array(text, { maxLength: 3 }),
    errors: fc.array(text, { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 4 },
);
type Resource = typeof resources extends fc.Arbitrary<readonly (infer Each)[]> ? Each : never;

const foundOf = ({ displayName, importId, fileName, labels, tags, errors }: Resource): Found => ({
  displayName,
  importId,
  values: Value.object(
    new Map([
      ["file_name", Value.string(fileName)],
      [
        "labels",
        new Value({ map: "string" }, new Map(labels.map(([name, of]) => [name, Value.string(of)]))),
      ],
      ["tags", literalValue(tags)],
    ]),
  ),
  secrets: [],
  changed: ["tags"],
  errors,
});

/** What Terraform reads in a string of a configuration. */
const templateText = (template: string): unknown =>
  evaluate(parseTemplate(template), {
    variable: () => undefined,
    call: (name) => {
      throw new Error(`calls ${name}`);
    },
  }).content;

/** What the code contains: the plain values of its literals. */
function literal(node: ts.Node | undefined): unknown {
  if (node !== undefined && ts.isStringLiteral(node)) return templateText(node.text);
  if (node !== undefined && ts.isArrayLiteralExpression(node)) return node.elements.map(literal);
  if (node === undefined || !ts.isObjectLiteralExpression(node)) throw new Error("not a literal");
  return node.properties.map((each) => {
    if (!ts.isPropertyAssignment(each)) throw new Error("not a member");
    const { name, initializer } = each;
    const isOwn = ts.isComputedPropertyName(name) || name.getText() !== "__proto__";
    const plain = ts.isComputedPropertyName(name) ? name.expression : name;
    if (!isOwn || !(ts.isStringLiteral(plain) || ts.isIdentifier(plain)))
      throw new Error("no name");
    return [templateText(plain.text), literal(initializer)];
  });
}

/** The parts of `new Note(scope, id, values).importFrom(importId)`. */
function statement(node: ts.Statement) {
  const call = ts.isExpressionStatement(node) ? node.expression : undefined;
  if (call === undefined || !ts.isCallExpression(call)) throw new Error("not a call");
  const method = call.expression;
  if (!ts.isPropertyAccessExpression(method) || !ts.isNewExpression(method.expression)) {
    throw new Error("not a new construct");
  }
  const { expression: made, arguments: given = [] } = method.expression;
  const [scope, id, values] = given;
  expect([made, scope, method.name].map((each) => each?.getText())).toEqual([
    "Note",
    "scope",
    "importFrom",
  ]);
  expect([given.length, call.arguments.length]).toEqual([3, 1]);
  return { id: literal(id), values: literal(values), importId: literal(call.arguments[0]) };
}

it("writes the expected statements, and nothing else, for any text of a service", () => {
  fc.assert(
    fc.property(resources, (given) => {
      const code = constructSource(importable, given.map(foundOf), false);
      expect(code.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      const file = ts.createSourceFile("a.ts", code, ts.ScriptTarget.Latest, true);
      // The errors of the parser are not in TypeScript's declarations.
      expect(Reflect.get(file, "parseDiagnostics")).toEqual([]);
      const [, , add, ...rest] = file.statements;
      if (add === undefined || !ts.isFunctionDeclaration(add)) throw new Error("no function");
      expect(rest).toEqual([]);
      const written = (add.body?.statements ?? []).map(statement);
      expect(written.map(({ values, importId }) => ({ values, importId }))).toEqual(
        given.map(({ fileName, labels, tags, importId }) => ({
          values: [
            ["fileName", fileName],
            ["labels", labels],
            ["tags", tags],
          ],
          importId,
        })),
      );
      const ids = written.map(({ id }) => String(id).toLowerCase());
      for (const id of ids) expect(id).toMatch(/^[a-z_][\w-]*$/);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 300 },
  );
});
