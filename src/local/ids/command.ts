import { hasCode } from "../../core/process/system-error";
import { type FaultOption, faultsOfOptions } from "./fault-option";
import { createLocalIds } from "./local-ids";
import { writeJson, writeText } from "../../core/redaction/output";

/** The options of {@link runLocalIds}. */
interface RunLocalIdsOptions {
  /** The port; 0 for any free port. */
  readonly port: number;
  /** See `pollsUntilDone`. */
  readonly polls?: number | undefined;
  /** The maximum number of endpoints per zone and project. @default 10 */
  readonly quota?: number | undefined;
  /** Failures to inject. @default none */
  readonly faults?: readonly FaultOption[] | undefined;
  /** The file that stores the endpoints. @default none: they are kept in memory */
  readonly stateFile?: string | undefined;
  /** Omits the line for each change. @default false */
  readonly quiet?: boolean | undefined;
  /** Prints the address as JSON. @default false */
  readonly json?: boolean | undefined;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly signal: AbortSignal;
}

/**
 * Runs `trivet local ids`: serves until the signal is aborted.
 *
 * @throws Error with a message for the user, when the port or the state file cannot be used
 */
export async function runLocalIds(options: RunLocalIdsOptions): Promise<void> {
  const { port, stdout, stderr, signal, stateFile } = options;
  if (signal.aborted) return;
  const log = (line: string) => writeText(stderr, `${line}\n`);
  const server = createLocalIds({
    pollsUntilDone: options.polls,
    quota: options.quota,
    faults: faultsOfOptions(options.faults ?? []),
    stateFile,
    ...(options.quiet === true ? {} : { log }),
  });
  const { url } = await server.listen({ port }).catch((failure: unknown) => {
    throw explain(failure, port);
  });
  if (options.json === true) {
    const settings = { cloud_ids_custom_endpoint: url };
    writeJson(stdout, { url, settings, stateFile: stateFile ?? null });
  } else {
    writeText(stdout, describe(url, stateFile));
  }
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => {
      resolve();
    });
  });
  await server.close();
}

function describe(url: string, stateFile: string | undefined): string {
  const kept = stateFile === undefined ? "in memory until the process ends" : `in ${stateFile}`;
  return (
    `local back end for ids: ${url} (endpoints are kept ${kept})\n` +
    `provider setting: cloud_ids_custom_endpoint = "${url}"\n`
  );
}

function explain(failure: unknown, port: number): unknown {
  if (hasCode(failure, "EADDRINUSE")) {
    return new Error(`port ${port} is in use; choose another port, or 0 for any free port`);
  }
  if (hasCode(failure, "EACCES")) {
    return new Error(`port ${port} requires special permissions; choose a port above 1023, or 0`);
  }
  return failure;
}
