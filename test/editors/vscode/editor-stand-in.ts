import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";
import type { Diagnostic, Range } from "vscode";

type Action = (...args: readonly unknown[]) => unknown;

/** The parts of VS Code's class that extensions use for files. */
interface Uri {
  readonly scheme: string;
  readonly fsPath: string;
  with(): Uri;
  toString(): string;
}

/** The parts of a folder of the workspace, or of a text, that extensions look at. */
interface Place {
  readonly uri: Uri;
}

const disposable = { dispose: () => undefined };

/** Whatever else an extension asks for: an event that never happens, or a feature that nobody uses. */
const permissive = <T extends object>(known: T, other: () => unknown): T =>
  new Proxy(known, { get: (target, name) => (Reflect.get(target, name) as unknown) ?? other() });

const uriOf = (path: string): Uri => {
  const text = pathToFileURL(path).href;
  return {
    scheme: "file",
    fsPath: path,
    with: () => uriOf(path),
    toString: () => text,
  };
};

/** A class that an extension derives others from, whether it uses these or not. */
class Unused {
  readonly isUnused = true;
}

/** What an extension of VS Code sees of the editor, without an editor: folders with files that are open. */
export class EditorStandIn {
  readonly warnings: string[] = [];
  readonly log: string[] = [];
  /** The settings, by their names after `trivet.`. */
  readonly settings = new Map<string, unknown>();
  /** What is shown in each file, by its path. */
  readonly shown = new Map<string, readonly string[]>();
  readonly #commands = new Map<string, Action>();
  readonly #configured: Action[] = [];
  readonly #folders: readonly (Place & { readonly name: string; readonly index: number })[];
  readonly #texts: readonly Place[];

  /**
   * @param folders the paths of the workspace's folders
   * @param files the paths of the open files
   */
  constructor(folders: readonly string[], files: readonly string[] = []) {
    this.#folders = folders.map((path, index) => ({ uri: uriOf(path), name: path, index }));
    this.#texts = files.map((path) => {
      const text = readFileSync(path, "utf8");
      const document = { languageId: path.endsWith(".json") ? "json" : "javascript", version: 1 };
      return { ...document, uri: uriOf(path), fileName: path, getText: () => text };
    });
  }

  /** What `require("vscode")` returns. */
  get module(): object {
    const known = {
      __esModule: true,
      commands: permissive({ registerCommand: this.#register }, () => () => disposable),
      languages: permissive(
        { match: this.#match, createDiagnosticCollection: this.#collect },
        () => () => disposable,
      ),
      window: permissive(
        {
          createOutputChannel: () => this.#channel(),
          showWarningMessage: this.#warn,
          showErrorMessage: this.#warn,
          tabGroups: permissive({ all: [] }, () => () => disposable),
          visibleTextEditors: [],
        },
        () => () => disposable,
      ),
      workspace: permissive(
        {
          workspaceFolders: this.#folders,
          textDocuments: this.#texts,
          notebookDocuments: [],
          findFiles: this.#find,
          getConfiguration: () => ({
            get: (name: string, otherwise: unknown) => this.settings.get(name) ?? otherwise,
          }),
          getWorkspaceFolder: () => this.#folders[0],
          onDidChangeConfiguration: (action: Action) => {
            this.#configured.push(action);
            return disposable;
          },
        },
        () => () => disposable,
      ),
      env: { appName: "stand-in", language: "en" },
      version: "1.91.0",
      Uri: { parse: (text: string) => uriOf(fileURLToPath(text)), file: uriOf },
      RelativePattern: class {
        constructor(
          readonly base: Place,
          readonly pattern: string,
        ) {}
      },
      Position: class {
        constructor(
          readonly line: number,
          readonly character: number,
        ) {}
      },
      Range: class {
        readonly start: unknown;
        constructor(line: number, character: number) {
          this.start = { line, character };
        }
      },
      Diagnostic: class {
        constructor(
          readonly range: Range,
          readonly message: string,
        ) {}
      },
      CodeActionKind: { Empty: { append: (kind: string) => ({ value: kind }) } },
      CancellationTokenSource: class {
        readonly token = { isCancellationRequested: false };
        readonly cancel = () => undefined;
        readonly dispose = () => undefined;
      },
      EventEmitter: class {
        readonly event = () => disposable;
        readonly fire = () => undefined;
        readonly dispose = () => undefined;
      },
    };
    return permissive(known, () => Unused);
  }

  /** Runs a command, as from the palette. */
  async run(command: string): Promise<void> {
    await this.#commands.get(command)?.();
  }

  /** Changes a setting, as a user does. */
  async configure(name: string, value: unknown): Promise<void> {
    this.settings.set(name, value);
    const change = { affectsConfiguration: (section: string) => section === "trivet" };
    await Promise.all(this.#configured.map((action) => action(change)));
  }

  readonly #register = (name: string, action: Action): object => {
    this.#commands.set(name, action);
    return disposable;
  };

  readonly #warn = async (message: string): Promise<void> => {
    await Promise.resolve(this.warnings.push(message));
  };

  /** Accepts every open file: the tests open none that the extension would not ask for. */
  readonly #match = (): number => 10;

  readonly #find = (pattern: { readonly base: Place }): readonly Uri[] => {
    const args = [pattern.base.uri.fsPath, "-name", "node_modules", "-prune", "-o"];
    const found = execFileSync("find", [...args, "-name", "cdktf.json", "-print"], {
      encoding: "utf8",
    });
    return found.split("\n").filter(Boolean).map(uriOf);
  };

  readonly #collect = (): object => ({
    set: ({ fsPath }: Uri, diagnostics: readonly Diagnostic[] = []) => {
      this.shown.set(
        fsPath,
        diagnostics.map(({ message, range }) => `${range.start.line + 1}: ${message}`),
      );
    },
    clear: () => this.shown.clear(),
    dispose: () => this.shown.clear(),
  });

  #channel(): object {
    const write = (text: string) => {
      this.log.push(text);
    };
    return permissive(
      { info: write, warn: write, error: write, append: write, appendLine: write },
      () => () => disposable,
    );
  }
}

/** The text of a file of the extension as it is packed. */
export const packedText = (folder: string, file: string): string =>
  readFileSync(join(folder, file), "utf8");
