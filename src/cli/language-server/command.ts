import { Console } from "node:console";
import { checkSettings } from "../check/command";
import { createConnection, StreamMessageReader, StreamMessageWriter } from "./protocol";
import { LanguageServer } from "./server";

/** The options of `trivet lsp`. */
export type LanguageServerOptions = Parameters<typeof checkSettings>[0];

/** Runs `trivet lsp` on standard input and output, until the editor ends it. */
export async function runLanguageServer(options: LanguageServerOptions): Promise<void> {
  const settings = await checkSettings(options, true);
  // Providers of the project run in this process, and standard output is for the protocol.
  globalThis.console = new Console(process.stderr);
  const connection = createConnection(
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  );
  // The library's timer would keep the process.
  process.exit(await new LanguageServer(connection, settings).run());
}
