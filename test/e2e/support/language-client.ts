import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type CodeAction,
  createProtocolConnection,
  type Diagnostic,
  type Hover,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
} from "vscode-languageserver-protocol/node";

interface Project {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** The arguments of Node.js for a command. */
  commandLine(command: string, args: readonly string[]): readonly string[];
}

/** An editor with one open file, which speaks with `trivet lsp`. */
export class LanguageClient {
  readonly child: ChildProcess;
  readonly #connection: ProtocolConnection;
  readonly #uri: string;
  #text: string;
  #version = 1;
  #diagnostics: readonly Diagnostic[] = [];
  #told: () => void = () => undefined;
  /** What the server printed besides its messages, such as the failures of apps. */
  #printed = "";

  private constructor(
    project: Project,
    file: string,
    {
      args = [],
      env = {},
    }: { readonly args?: readonly string[]; readonly env?: NodeJS.ProcessEnv },
  ) {
    const child = spawn(process.execPath, project.commandLine("lsp", args), {
      cwd: project.folder,
      env: { ...project.env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.child = child;
    child.stderr.on("data", (data: Buffer) => (this.#printed += data.toString()));
    child.once("close", () => {
      this.#told();
    });
    const path = join(project.folder, file);
    this.#uri = pathToFileURL(path).href;
    this.#text = readFileSync(path, "utf8");
    this.#connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    this.#connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
      if (uri !== this.#uri) return;
      this.#diagnostics = diagnostics;
      this.#told();
    });
    this.#connection.listen();
  }

  /** Opens a file, and waits until `isSeen` accepts what is shown in it. */
  static async open(
    project: Project,
    file: string,
    isSeen: (shown: string) => boolean,
    settings: { readonly args?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<LanguageClient> {
    const client = new LanguageClient(project, file, settings);
    await client.#connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
    });
    await client.#connection.sendNotification("initialized", {});
    await client.#connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri: client.#uri, languageId: "typescript", version: 1, text: client.#text },
    });
    await client.until(isSeen);
    return client;
  }

  get text(): string {
    return this.#text;
  }

  /** What is shown in the file: line, first and last character, severity and message, each counted from 0. */
  get shown(): readonly string[] {
    const levels = ["", "error", "warning", "information"];
    const lines = this.#text.split("\n");
    return this.#diagnostics.map(({ range: { start, end }, severity = 0, code, message }) => {
      const last = end.line === start.line ? end.character : undefined;
      const marked = lines[start.line]?.slice(start.character, last) ?? "";
      const level = `${levels[severity] ?? ""}${code === undefined ? "" : ` [${code}]`}`;
      const text = typeof message === "string" ? message : message.value;
      return `${String(start.line + 1)} <${marked}> ${level}: ${text}`;
    });
  }

  /** The addresses of the pages that the editor links. */
  get pages(): readonly string[] {
    return this.#diagnostics.flatMap(({ codeDescription }) => codeDescription?.href ?? []);
  }

  /** Waits until something is shown. Fails with what the server printed if it ends first. */
  async until(isSeen: (shown: string) => boolean): Promise<void> {
    while (!isSeen(this.shown.join("\n"))) {
      if (this.child.exitCode !== null) throw new Error(`the server ended:\n${this.#printed}`);
      await new Promise<void>((resolve) => {
        this.#told = resolve;
      });
    }
  }

  /** Writes, without saving. */
  async type(text: string): Promise<void> {
    this.#text = text;
    await this.#connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: this.#uri, version: ++this.#version },
      contentChanges: [{ text }],
    });
  }

  /** Returns what is shown over the first place of a text. */
  async hover(over: string): Promise<string | undefined> {
    const hover = await this.#connection.sendRequest<Hover | null>("textDocument/hover", {
      textDocument: { uri: this.#uri },
      position: this.#positionOf(over),
    });
    return hover === null ? undefined : (hover.contents as { readonly value: string }).value;
  }

  async actions(over: string): Promise<readonly CodeAction[]> {
    const position = this.#positionOf(over);
    return await this.#connection.sendRequest<CodeAction[]>("textDocument/codeAction", {
      textDocument: { uri: this.#uri },
      range: { start: position, end: position },
      context: { diagnostics: [] },
    });
  }

  /** Does what an action offers. */
  async apply({ edit }: CodeAction): Promise<void> {
    await this.type(edited(this.#text, edit?.changes?.[this.#uri] ?? []));
  }

  /** Ends the server as an editor does. Returns its exit code. */
  async close(): Promise<unknown> {
    const ended = once(this.child, "exit");
    await this.#connection.sendRequest("shutdown");
    await this.#connection.sendNotification("exit");
    const [code] = (await ended) as unknown[];
    this.#connection.dispose();
    return code;
  }

  #positionOf(text: string): { readonly line: number; readonly character: number } {
    const before = this.#text.slice(0, this.#text.indexOf(text)).split("\n");
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  }
}

function edited(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split("\n");
  const offsetOf = ({ line, character }: TextEdit["range"]["start"]): number =>
    lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
  // From the end, so that places before stay where they are.
  return edits
    .map(({ range, newText }) => [offsetOf(range.start), offsetOf(range.end), newText] as const)
    .sort(([one], [other]) => other - one)
    .reduce((all, [start, end, added]) => all.slice(0, start) + added + all.slice(end), text);
}
