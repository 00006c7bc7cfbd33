/** The used parts of the Language Server Protocol's library, which the build bundles into this file. */
export {
  CodeActionKind,
  createConnection,
  DiagnosticSeverity,
  MarkupKind,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
} from "vscode-languageserver/node";
export type {
  CodeAction,
  CodeActionParams,
  Connection,
  Diagnostic,
  Hover,
  InitializeResult,
  Range,
  TextDocumentPositionParams,
  TextEdit,
} from "vscode-languageserver/node";
