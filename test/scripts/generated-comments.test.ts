import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "..", "..");
const script = JSON.stringify(join(root, "scripts", "gen", "doc-comment.mjs"));

/** What an expression over the module `it` returns. Node.js evaluates it, because jest loads no ES modules here. */
function evaluate(expression: string): unknown {
  const program = `import(${script}).then((it) => console.log(JSON.stringify(${expression})))`;
  return JSON.parse(
    execFileSync(process.execPath, ["-e", program], { encoding: "utf8", stdio: "pipe" }),
  );
}

describe("a declared documentation", () => {
  const read = (doc: string, meanings = ""): unknown =>
    evaluate(`it.readDoc(${JSON.stringify(doc)}, ${JSON.stringify(meanings)})`);

  test("has its first sentence apart from the others, and what applies by default", () => {
    expect(
      read("Name of the app. By default, the `slug`. Needs version 2.16 of it. Rarely used."),
    ).toEqual({
      summary: "Name of the app.",
      details: ["Needs version 2.16 of it.", "Rarely used."],
      byDefault: "the `slug`",
    });
  });

  test("about a condition says when the value is true", () => {
    expect(read("Whether the app is hidden.")).toMatchObject({
      summary: "True if the app is hidden.",
    });
  });

  test("loses the meanings of values, which are a list", () => {
    const meanings = "`tab` opens a tab; `window` opens a window.";
    expect(read(`Where it opens: ${meanings} Rarely used.`, meanings)).toMatchObject({
      summary: "Where it opens.",
      details: ["Rarely used."],
    });
  });

  test("that begins with a question is refused", () => {
    expect(() => read("What it does.")).toThrow("Begin with a noun");
  });
});

describe("a comment", () => {
  const comment = (...given: readonly (readonly string[])[]): unknown =>
    evaluate(`it.comment(...${JSON.stringify(given)})`);

  test("of one sentence is one line", () => {
    expect(comment(["Name of the app."])).toBe("/** Name of the app. */");
  });

  test("breaks no code, and does not end in the middle", () => {
    const code = `\`${"* */5 ".repeat(4)}*\``;
    expect(comment([`${"word ".repeat(16)}${code}`, ""], ["@default none"])).toBe(
      [
        "/**",
        ` * ${"word ".repeat(16).trim()}`,
        ` * ${code.replaceAll("*/", "*\\/")}`,
        " *",
        " * @default none",
        " */",
      ].join("\n"),
    );
  });
});
