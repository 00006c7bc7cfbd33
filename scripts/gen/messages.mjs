// @ts-check
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../providers.mjs";

const folder = "docs/reference/messages";

/** The pages, with the folders whose messages they list. What is in no other folder is on the last page. */
const areas = [
  { name: "ids", title: "Messages of ids", under: ["core/ids", "core/google", "local/ids"] },
  {
    name: "workspace",
    title: "Messages of workspace",
    under: ["core/workspace", "local/workspace"],
  },
  { name: "signing", title: "Messages of signing", under: ["core/signing", "local/signing"] },
  { name: "trivet", title: "Messages of the commands", under: ["cli"] },
  { name: "all-providers", title: "Messages of all providers", under: [""] },
];

/** Errors for people, with the places of their message and of its cure among the arguments. */
const errors = /** @type {const} */ ({ CommandError: [0, 1] });

/** The messages of a page, each with its causes and cures. Some have a code instead, which leads to them. */
class Messages {
  /** @type {Map<string, Set<string>>} */
  #details = new Map();
  /** @type {Map<string, Set<string>>} the codes of a message */
  #codes = new Map();
  /** @type {Map<string, Set<string>>} the causes and cures of a code */
  #ofCode = new Map();

  /**
   * @param {string} message
   * @param {readonly string[]} details
   */
  add(message, details) {
    into(this.#details, message, details);
  }

  /**
   * @param {string} code
   * @param {readonly string[]} texts of errors with this code; a title is what Terraform shows for it
   */
  addCode(code, texts) {
    for (const text of texts) {
      if (!isTelling(text)) continue;
      const [map, key, value] = isTitle(text)
        ? [this.#codes, text, code]
        : [this.#ofCode, code, text];
      map.set(key, new Set([...(map.get(key) ?? []), value]));
    }
  }

  get listed() {
    for (const [message, codes] of this.#codes) {
      into(
        this.#details,
        message,
        [...codes].flatMap((code) => [...(this.#ofCode.get(code) ?? [])]),
      );
    }
    return [...this.#details].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/**
 * @param {Map<string, Set<string>>} map
 * @param {string} key
 * @param {readonly string[]} values
 */
function into(map, key, values) {
  if (!isTelling(key)) return;
  map.set(key, new Set([...(map.get(key) ?? []), ...values.filter(isTelling)]));
}

/** A code of an error, such as `NO_IDENTITY`, which is no message. @param {string} text */
const isCode = (text) => /^[A-Z][A-Z_]+$/.test(text);

/** @param {string} text */
const isTitle = (text) => /^[A-Z][\w-]*(?: [A-Z][\w-]*)+$/.test(text);

/** Whether a text has words, and not only values. @param {string} text */
const isTelling = (text) => !isCode(text) && /[a-z]{2}[^…]*[a-z]{2}/i.test(text);

/**
 * Pages with the messages in the sources, each with its cause and its cure, so that a search finds what somebody pastes.
 * Values are `…`. Rules of attributes are on the pages of their codes.
 *
 * @returns {Promise<Map<string, string>>} path in the checkout to content
 */
export async function messages() {
  const byArea = new Map(areas.map(({ name }) => [name, new Messages()]));
  const names = await readdir(join(root, "src"), { recursive: true });
  for (const path of names.filter((name) => name.endsWith(".ts")).sort()) {
    const text = await readFile(join(root, "src", path), "utf8");
    if (!/Error\(|super\(|summary:|: \[?"[A-Z]\w+ [A-Z]/.test(text)) continue;
    const area = areas.find(({ under }) => under.some((each) => path.startsWith(each)));
    const found = byArea.get(area?.name ?? "");
    if (found !== undefined)
      read(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), found);
  }
  /** @type {Map<string, string>} */
  const files = new Map([[`${folder}/index.md`, indexPage()]]);
  for (const { name, title } of areas) {
    files.set(`${folder}/${name}.md`, page(title, byArea.get(name)?.listed ?? []));
  }
  return files;
}

const other =
  "The rest of the message says what is wrong, with which value, and what to write instead.";

const generated = "<!-- Generated from the sources: npm run gen -->";

const indexPage = () => `${generated}

# Messages

What Trivet can say, with the cause and what to do. Paste a message into the search: values, such as names and paths, are
\`…\` here. If a message has a code in brackets, [the page of the code](../codes/index.md) has an example, too.
[Troubleshooting](../../guide/troubleshooting.md) is about what Terraform and other tools say.

${areas.map(({ name, title }) => `- [${title}](${name}.md)`).join("\n")}
`;

/**
 * @param {string} title
 * @param {Messages["listed"]} listed
 */
function page(title, listed) {
  const sections = listed.map(([message, details]) =>
    [
      `## ${markdown(message)}`,
      ...(details.size === 0 ? [other] : [...details].map(markdown)),
    ].join("\n\n"),
  );
  return `${[generated, `# ${title}`, ...sections].join("\n\n")}\n`;
}

/**
 * A text of which nothing is a mark, except for code spans.
 *
 * @param {string} text
 */
const markdown = (text) =>
  text
    .replaceAll(/\s+/g, " ")
    .trim()
    .split(/(`[^`]*`)/)
    .map((part) => {
      // VitePress would read an expression between two braces, also in a code span.
      if (part.length > 1 && part.startsWith("`") && !part.includes("{{")) return part;
      return part
        .replaceAll(/[[\]*`\\|]|(?<!\w)_|_(?!\w)/g, "\\$&")
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll("{", "&#123;");
    })
    .join("");

/**
 * Reads the messages of a file.
 *
 * @param {ts.SourceFile} file
 * @param {Messages} found
 */
function read(file, found) {
  /** @type {ts.VariableDeclaration[]} */
  const constants = [];
  walk(file, (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) constants.push(node);
  });
  /** @param {ts.Node | undefined} node */
  const textsOf = (node) => textsIn(node, constants);
  walk(file, (node) => {
    if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
      const [first, ...rest] = node.arguments ?? [];
      const places = placesOf(node);
      if (places !== undefined) {
        const [message, cure] = places.map((at) => textsOf(node.arguments?.[at]));
        for (const each of message ?? []) found.add(each, cure ?? []);
      } else if (first !== undefined && ts.isStringLiteral(first) && isCode(first.text)) {
        const facts =
          rest[1] !== undefined && ts.isObjectLiteralExpression(rest[1]) ? rest[1] : undefined;
        const advice = facts && valueOf(facts, "advice");
        const [texts, cures] = [textsOf(rest[0]), textsOf(advice)];
        if (node.expression.getText() === "localPlatformError") {
          for (const each of texts) found.add(each, cures);
        } else found.addCode(first.text, [...texts, ...cures]);
      }
    } else if (ts.isObjectLiteralExpression(node)) {
      const details = ["detail", "next", "correction"].flatMap((key) =>
        textsOf(valueOf(node, key)),
      );
      if (details.length === 0) return;
      for (const each of textsOf(valueOf(node, "summary"))) found.add(each, details);
    } else if (ts.isPropertyAssignment(node) && isCode(node.name.getText())) {
      const { initializer: value } = node;
      const texts = ts.isArrayLiteralExpression(value) ? value.elements.slice(0, 2) : [value];
      found.addCode(node.name.getText(), texts.flatMap(textsOf));
    }
  });
}

/**
 * @param {ts.Node} node
 * @param {(node: ts.Node) => void} visit
 */
function walk(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/**
 * Where an error that is made, or whose class is extended, has its message and its cure.
 *
 * @param {ts.NewExpression | ts.CallExpression} node
 */
function placesOf(node) {
  const { expression } = node;
  const around = ts.findAncestor(node, ts.isClassLike);
  const name =
    expression.kind === ts.SyntaxKind.SuperKeyword
      ? around?.heritageClauses?.[0]?.types[0]?.expression.getText()
      : ts.isNewExpression(node) && expression.getText();
  return Object.entries(errors).find(([each]) => each === name)?.[1];
}

/**
 * @param {ts.ObjectLiteralExpression} object
 * @param {string} key
 */
function valueOf({ properties }, key) {
  const property = properties.find((each) => each.name?.getText() === key);
  if (property === undefined || ts.isPropertyAssignment(property)) return property?.initializer;
  return ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
}

/** A text with several choices is listed with the first of them. */
const maxChoices = 4;

/**
 * The texts that an expression can be, with `…` for what only a run knows.
 *
 * @param {ts.Node | undefined} node
 * @param {readonly ts.VariableDeclaration[]} constants
 * @param {number} depth of constants that are others
 * @returns {readonly string[]}
 */
function textsIn(node, constants, depth = 0) {
  /** @param {ts.Node} each */
  const inner = (each) => {
    const texts = textsIn(each, constants, depth + 1);
    return texts.length === 0 ? ["…"] : texts;
  };
  if (node === undefined || depth > 12) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans
      .reduce(
        (texts, { expression, literal }) =>
          joined(joined(texts, inner(expression)), [literal.text]),
        /** @type {readonly string[]} */ ([node.head.text]),
      )
      .map((text) => text.replaceAll(/…(?:\s*…)+/g, "…"));
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return joined(inner(node.left), inner(node.right));
  }
  if (ts.isConditionalExpression(node)) return [...inner(node.whenTrue), ...inner(node.whenFalse)];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return inner(node.expression);
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return inner(node.body);
  if (ts.isCallExpression(node) && node.expression.getText() === "always")
    return inner(node.arguments[0] ?? node);
  const constant = ts.isIdentifier(node) ? constantOf(node, constants) : undefined;
  if (constant === undefined || ts.isArrowFunction(constant)) return [];
  return textsIn(constant, constants, depth + 1);
}

/**
 * The value of the constant that a name means: of those with the name, the innermost one around it.
 *
 * @param {ts.Identifier} name
 * @param {readonly ts.VariableDeclaration[]} constants
 */
const constantOf = (name, constants) =>
  constants.findLast(
    (each) =>
      each.name.getText() === name.text &&
      isInside(
        name,
        ts.findAncestor(each, (around) => ts.isBlock(around) || ts.isSourceFile(around)),
      ),
  )?.initializer;

/**
 * @param {ts.Node} node
 * @param {ts.Node | undefined} outer
 */
const isInside = (node, outer) => ts.findAncestor(node, (around) => around === outer) !== undefined;

/**
 * @param {readonly string[]} left
 * @param {readonly string[]} right
 */
const joined = (left, right) =>
  left.flatMap((start) => right.map((end) => `${start}${end}`)).slice(0, maxChoices);
