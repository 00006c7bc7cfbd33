import { Console } from "node:console";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ownPackage } from "../../core/process/package-root";
import type { CheckSettings } from "../check/check-stack";
import { checkSettings } from "../check/command";
import { Interruption } from "../exec/interruption";
import { ExitCode, failureOf } from "../invocation/failure";
import { diagnosticsOf, type PlacedDiagnostic } from "./diagnostics";
import { hoverAt } from "./hover";
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Connection,
  createConnection,
  type Hover,
  type InitializeResult,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
} from "./protocol";
import { OpenDocuments, Outlines } from "./source-outline";
import { foreignProject, ProjectFolders, ProjectSession } from "./project-session";
import { codeActionsFor } from "./source-edits";

/** Shows in an editor what the stacks of its projects will do. A project is checked while one of its files is open. */
class LanguageServer {
  readonly #connection: Connection;
  readonly #settings: CheckSettings;
  readonly #documents = new OpenDocuments();
  readonly #outlines = new Outlines(this.#documents);
  readonly #sessions = new Map<string, ProjectSession>();
  readonly #running = new Set<Promise<void>>();
  /** The diagnostics in the files of each project, by folder. */
  readonly #shown = new Map<string, ReadonlyMap<string, readonly PlacedDiagnostic[]>>();

  #projects = new ProjectFolders([process.cwd()]);

  constructor(connection: Connection, settings: CheckSettings) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /** Serves until the editor ends the connection or a signal arrives, and returns the exit code. */
  async run(): Promise<number> {
    const connection = this.#connection;
    const interruption = new Interruption();
    // The protocol requires a failure without a shutdown request.
    let exitCode: number = ExitCode.failed;
    connection.onShutdown(() => {
      exitCode = ExitCode.ok;
    });
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- some editors send nothing newer
    connection.onInitialize(({ workspaceFolders, rootUri }) => {
      const announced = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
      const roots = announced.flatMap((uri) => pathOf(uri) ?? []);
      if (roots.length > 0) this.#projects = new ProjectFolders(roots);
      return capabilities();
    });
    connection.onDidOpenTextDocument(({ textDocument: { uri, text } }) => {
      this.#set(uri, text);
    });
    connection.onDidChangeTextDocument(({ textDocument: { uri }, contentChanges }) => {
      const text = contentChanges.at(-1)?.text;
      if (text !== undefined) this.#set(uri, text);
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      const path = pathOf(uri);
      if (path === undefined) return;
      this.#documents.delete(path);
      this.#sessionOf(path)?.edit();
    });
    connection.onHover(async (params) => await this.#hover(params));
    connection.onCodeAction(async (params) => await this.#codeActions(params));
    const ended = new Promise<void>((resolve) => {
      connection.onExit(resolve);
      process.stdin.on("close", resolve);
      interruption.aborted.addEventListener("abort", () => {
        resolve();
      });
    });
    connection.listen();
    await ended;
    for (const session of this.#sessions.values()) session.stop();
    await Promise.all(this.#running);
    return interruption.exitCode ?? exitCode;
  }

  #set(uri: string, text: string): void {
    const path = pathOf(uri);
    if (path === undefined) return;
    this.#documents.set(path, text);
    const known = this.#sessionOf(path);
    if (known === undefined) this.#begin(path);
    else known.edit();
  }

  #begin(path: string): void {
    const folder = this.#projects.of(path);
    if (folder === undefined) return;
    const problem = foreignProject(folder);
    if (problem !== undefined) {
      this.#connection.console.error(problem);
      return;
    }
    const session = new ProjectSession(folder, this.#documents, this.#settings, this.#publish);
    this.#sessions.set(folder, session);
    const running = session.run().catch((error: unknown) => {
      this.#connection.console.error(failureOf(error).text);
    });
    this.#running.add(running);
  }

  #sessionOf(path: string): ProjectSession | undefined {
    const folder = this.#projects.of(path);
    return folder === undefined ? undefined : this.#sessions.get(folder);
  }

  readonly #publish = async ({ folder, project }: ProjectSession): Promise<void> => {
    const found = await diagnosticsOf(project, folder, (file) => this.#outlines.of(folder, file));
    const files = new Set([...(this.#shown.get(folder)?.keys() ?? []), ...found.keys()]);
    this.#shown.set(folder, found);
    for (const file of files) {
      const diagnostics = (found.get(file) ?? []).map(({ shown }) => shown);
      await this.#connection.sendDiagnostics({ uri: pathToFileURL(file).href, diagnostics });
    }
  };

  async #hover({ textDocument, position }: TextDocumentPositionParams): Promise<Hover | undefined> {
    const path = pathOf(textDocument.uri) ?? "";
    const session = this.#sessionOf(path);
    if (session === undefined) return undefined;
    const outline = await this.#outlines.of(session.folder, path);
    return hoverAt(session.project, path, outline, position);
  }

  async #codeActions({ textDocument, range }: CodeActionParams): Promise<CodeAction[]> {
    const path = pathOf(textDocument.uri) ?? "";
    const session = this.#sessionOf(path);
    const shown = this.#shown.get(session?.folder ?? "")?.get(path);
    if (session === undefined || shown === undefined) return [];
    const outline = await this.#outlines.of(session.folder, path);
    if (outline === undefined) return [];
    return shown
      .filter((each) => isTouching(each.shown.range, range))
      .flatMap((each) => [...codeActionsFor(each, textDocument.uri, outline)]);
  }
}

const isTouching = (one: Range, other: Range): boolean =>
  one.start.line <= other.end.line && other.start.line <= one.end.line;

const capabilities = (): InitializeResult => ({
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Full,
    hoverProvider: true,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
  },
  serverInfo: { name: "trivet", version: ownPackage().version },
});

/** Returns the path of a source file; undefined for a document that is not saved, or belongs to a package. */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  const path = fileURLToPath(uri);
  return /[/\\]node_modules[/\\]/.test(path) ? undefined : path;
}

export type LanguageServerOptions = Parameters<typeof checkSettings>[0];

/** Runs `trivet lsp` on standard input and output until the editor ends it. */
export async function runLanguageServer(options: LanguageServerOptions): Promise<void> {
  const settings = await checkSettings(options, true);
  // Providers of the project run in this process, but standard output belongs to the protocol.
  globalThis.console = new Console(process.stderr);
  const connection = createConnection(
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  );
  // A timer of the library would keep the process alive.
  process.exit(await new LanguageServer(connection, settings).run());
}
