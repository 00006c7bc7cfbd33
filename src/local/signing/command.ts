import { HttpFailure } from "../service/answer";
import { untilAborted } from "../service/service";
import { hasCode, systemErrorCode } from "../../core/process/system-error";
import type { LocalSigning, LocalSigningSettings } from "./local-signing";
import { startLocalSigning } from "./start-local-signing";
import { writeJson, writeText } from "../../core/redaction/output";

export interface RunLocalSigningOptions extends Pick<
  LocalSigningSettings,
  "folder" | "port" | "referrersApi" | "quirks" | "email" | "sampleImage"
> {
  /** Prints no line for each change. @default false */
  readonly quiet?: boolean | undefined;
  /** Prints addresses and files as JSON. @default false */
  readonly json?: boolean | undefined;
  /** Serves a page about the services, and passes the address on. @default no page */
  readonly openPage?: OpenPage | undefined;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly signal: AbortSignal;
}

/** @param onChange calls a listener after each change, until the returned function is called */
type OpenPage = (
  services: LocalSigning,
  onChange: (listener: () => void) => () => void,
) => Promise<{ readonly url: string; close(): Promise<void> }>;

/**
 * Runs `trivet local signing` until the signal aborts.
 *
 * @throws Error with a message for the user if the ports or the folder cannot be used
 */
export async function runLocalSigning(options: RunLocalSigningOptions): Promise<void> {
  const { quiet, json, openPage, stdout, stderr, signal, ...settings } = options;
  if (signal.aborted) return;
  const listeners = new Set<() => void>();
  const log = (line: string): void => {
    if (quiet !== true) writeText(stderr, `${line}\n`);
    for (const listener of listeners) listener();
  };
  const services = await startLocalSigning({ ...settings, log }).catch((failure: unknown) => {
    throw explain(failure, options);
  });
  try {
    const page = await openPage?.(services, (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    });
    const { addresses, files, registryHost, sampleImage } = services;
    const facts = { addresses, registryHost, files, sampleImage, page: page?.url };
    const text = describe(services) + (page === undefined ? "" : pageText(page.url));
    if (json === true) writeJson(stdout, facts);
    else writeText(stdout, text);
    await untilAborted(signal);
    await page?.close();
  } finally {
    await services.close();
  }
}

const pageText = (url: string): string =>
  `page: ${url}\nOpen this address in a browser. It contains a secret token: do not share it.\n`;

function describe({ addresses, files, registryHost, sampleImage }: LocalSigning): string {
  const sample = sampleImage === undefined ? "" : `sample image: ${sampleImage}\n`;
  return `local services for signing:
  registry               ${addresses.registry} (images: ${registryHost}/<repository>)
  certificate authority  ${addresses.certificateAuthority}
  transparency log       ${addresses.transparencyLog}
  timestamp authority    ${addresses.timestampAuthority}
  token issuer           ${addresses.tokenIssuer}
${sample}trusted root: ${files.trustedRoot}
for other tools: . ${files.environment}
`;
}

function explain(failure: unknown, { folder, sampleImage }: RunLocalSigningOptions): unknown {
  if (hasCode(failure, "EADDRINUSE")) {
    const port =
      failure instanceof Error && "port" in failure ? `port ${String(failure.port)}` : "a port";
    return new Error(
      `${port}, one of five in a row, is in use; choose others with --port, or --port 0 for free ones`,
    );
  }
  if (failure instanceof HttpFailure) {
    const repository = JSON.stringify(sampleImage);
    return new Error(
      `the sample image needs a repository such as build/app, but got ${repository}`,
    );
  }
  if (!(failure instanceof Error) || systemErrorCode(failure) === undefined) return failure;
  return "syscall" in failure && failure.syscall === "listen"
    ? new Error(`no port can be opened: ${failure.message}; a port below 1024 needs special rights`)
    : new Error(`the folder ${folder} cannot be used: ${failure.message}; choose another --folder`);
}
