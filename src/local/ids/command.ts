import { writeJson, writeText } from "../../core/redaction/output";
import { untilAborted } from "../service/service";
import { createLocalIds, type LocalIdsSettings } from "./local-ids";

/** A failure to inject: `POST:503:2` makes the first two POST requests fail with HTTP 503. */
interface FaultOption {
  readonly method: string;
  readonly status: number;
  /** The number of requests that fail; Infinity for all. */
  readonly count: number;
}

/** Parses a fault as it is written on the command line; undefined if it is malformed. */
export function parseFaultOption(text: string): FaultOption | undefined {
  const [, method, status, count] =
    /^(GET|POST|PATCH|DELETE):([45]\d\d)(?::([1-9]\d{0,5}))?$/.exec(text) ?? [];
  if (method === undefined || status === undefined) return undefined;
  return { method, status: Number(status), count: count === undefined ? Infinity : Number(count) };
}

/** Returns the faults of these options. Each request uses up one: the first that is left for its method. */
export function faultsOfOptions(
  options: readonly FaultOption[],
): NonNullable<LocalIdsSettings["failWith"]> {
  const left = options.map((option) => ({ ...option }));
  return ({ method }) => {
    const found = left.find((each) => each.method === method && each.count > 0);
    if (found === undefined) return undefined;
    found.count--;
    return found.status;
  };
}

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
 * @throws LocalServiceError if the port or the state file cannot be used
 */
export async function runLocalIds(options: RunLocalIdsOptions): Promise<void> {
  const { port, stdout, stderr, signal, stateFile } = options;
  if (signal.aborted) return;
  const log = (line: string) => writeText(stderr, `${line}\n`);
  const server = createLocalIds({
    pollsUntilDone: options.polls,
    quota: options.quota,
    failWith: faultsOfOptions(options.faults ?? []),
    stateFile,
    ...(options.quiet === true ? {} : { log }),
  });
  const { url } = await server.listen({ port });
  if (options.json === true) {
    const settings = { cloud_ids_custom_endpoint: url };
    writeJson(stdout, { url, settings, stateFile: stateFile ?? null });
  } else {
    writeText(stdout, describe(url, stateFile));
  }
  await untilAborted(signal);
  await server.close();
}

function describe(url: string, stateFile: string | undefined): string {
  const kept = stateFile === undefined ? "in memory until the process ends" : `in ${stateFile}`;
  return (
    `local back end for ids: ${url} (endpoints are kept ${kept})\n` +
    `provider setting: cloud_ids_custom_endpoint = "${url}"\n`
  );
}
