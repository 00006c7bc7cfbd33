import { existsSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
import { type Page, root } from "./page";
import { moduleOf } from "./source";

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts"],
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  types: ["node", "jest"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: true,
  noEmit: true,
  paths: {
    "@trivet/constructs": [join(root, "src/index.ts")],
    "@trivet/constructs/*": ["core", "planner"].map((floor) =>
      join(root, `src/${floor}/*/index.ts`),
    ),
    "@trivet/provider-kit": [join(root, "src/core/provider-kit/index.ts")],
    "@trivet/provider-kit/*": [join(root, "src/core/provider-kit/*/index.ts")],
  },
};

/** The path that a snippet would have as a file. */
const fileOf = (page: Page, name: string): string =>
  join(root, "test", "docs", "snippets", page.path.replaceAll("/", "_"), `${name}.ts`);

/**
 * Compiles all snippets of all pages in one program.
 *
 * @returns the errors, as `page:line: message`
 */
export function typeErrors(pages: readonly Page[]): string[] {
  const texts = new Map<string, { text: string; at: string }>();
  for (const page of pages) {
    for (const snippet of page.snippets) {
      const at = `${page.path}:${snippet.line}`;
      texts.set(fileOf(page, snippet.name), { text: moduleOf(snippet), at });
    }
  }
  const files = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...files,
    // The folders of the snippets do not exist on disk.
    directoryExists: () => true,
    fileExists: (path) => texts.has(path) || existsSync(path),
    readFile: (path) => texts.get(path)?.text ?? files.readFile(path),
    getSourceFile: (path, version) => {
      const own = texts.get(path);
      return own === undefined
        ? files.getSourceFile(path, version)
        : ts.createSourceFile(path, own.text, version);
    },
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return [...texts].flatMap(([path, { at }]) => {
    const source = program.getSourceFile(path);
    const found = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ];
    return found.map(
      ({ messageText }) => `${at}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  });
}
