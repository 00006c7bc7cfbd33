import { join } from "node:path";
import * as ts from "typescript";

const root = join(__dirname, "..");

/** What an editor shows for a position in a program of a user. */
interface Hover {
  readonly text: string;
  readonly examples: readonly string[];
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  strict: true,
  skipLibCheck: true,
  types: [],
  paths: { "@trivet/constructs": [join(root, "src", "index.ts")] },
};

/**
 * Starts TypeScript's language service, as an editor does, for one program.
 *
 * @param file where the program is, or would be
 */
export function hovering(file: string, program: string): (at: number) => Hover {
  const read = (path: string) => (path === file ? program : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: read,
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
  });
  return (at) => {
    const info = service.getQuickInfoAtPosition(file, at);
    const tags = info?.tags?.filter(({ name }) => name === "example") ?? [];
    return {
      text: ts.displayPartsToString(info?.documentation),
      examples: tags.map(({ text }) => ts.displayPartsToString(text)),
    };
  };
}
