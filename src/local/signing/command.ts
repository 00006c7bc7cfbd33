import { messageOf } from "../../core/failure/failure";
import { systemErrorCode } from "../../core/process/system-error";
import { writeJson, writeText } from "../../core/redaction/output";
import { localServiceError, untilAborted } from "../service/service";
import type { LocalSigningSettings } from "./open-services";
import { type LocalSigning, startLocalSigning } from "./start-local-signing";

export interface RunLocalSigningOptions extends Pick<
  LocalSigningSettings,
  "folder" | "port" | "referrersApi" | "quirks" | "email" | "sampleImage"
> {
  /** Omits the line for each change. @default false */
  readonly quiet?: boolean | undefined;
  /** Prints addresses and files as JSON. @default false */
  readonly json?: boolean | undefined;
  /** Serves a page about the services, and passes the address on. @default no page */
  readonly openPage?: OpenPage | undefined;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly signal: AbortSignal;
}

/** @param onChange registers a listener for changes, and returns a function that removes it */
type OpenPage = (
  services: LocalSigning,
  onChange: (listener: () => void) => () => void,
) => Promise<{ readonly url: string; close(): Promise<void> }>;

/**
 * Runs `trivet local signing` until the signal aborts.
 *
 * @throws LocalServiceError if the ports or the folder cannot be used
 */
export async function runLocalSigning(options: RunLocalSigningOptions): Promise<void> {
  const { quiet, json, openPage, stdout, stderr, signal, ...settings } = options;
  if (signal.aborted) return;
  const listeners = new Set<() => void>();
  const log = (line: string): void => {
    if (quiet !== true) writeText(stderr, `${line}\n`);
    for (const listener of listeners) listener();
  };
  const services = await startLocalSigning({ ...settings, log }).catch((cause: unknown) => {
    if (systemErrorCode(cause) === undefined) throw cause;
    throw localServiceError(
      "FOLDER",
      `The folder ${options.folder} cannot be used: ${messageOf(cause)}.`,
      { advice: "Choose another --folder.", cause },
    );
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
