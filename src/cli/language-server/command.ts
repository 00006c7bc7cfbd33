import { builtProviders } from "../../offline-plan/built-providers";
import { packageRoot } from "../../process/package-root";
import { variablesOf } from "../check/variables";
import type { CheckOptions } from "../check/command";
import { parseRefusals } from "../deploy/refusal";
import { ExitCode } from "../invocation/exit-code";
import { builtPackages } from "../package/built-package";
import { createConnection, StreamMessageReader, StreamMessageWriter } from "./protocol";
import { LanguageServer } from "./server";

/** The options of `trivet lsp`. */
export type LanguageServerOptions = Pick<CheckOptions, "against" | "refuse" | "var" | "varFile">;

/** Runs `trivet lsp` on standard input and output, until the editor ends it. */
export async function runLanguageServer(options: LanguageServerOptions): Promise<void> {
  const settings = {
    catalog: builtProviders(await builtPackages(packageRoot())),
    against: options.against,
    refusals: parseRefusals(options.refuse ?? []),
    variables: await variablesOf(options, process.env),
  };
  const connection = createConnection(
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  );
  const isAnnounced = await new LanguageServer(connection, settings).run();
  // As the protocol wants. The library's timer would keep the process.
  process.exit(isAnnounced ? ExitCode.ok : ExitCode.failed);
}
