import { LocalPlatformError } from "../terraform/local-platform-error";
import { hasCode } from "../../../core/process/system-error";
import { type PageSettings, startPage } from "./page-server";
import { writeText } from "../../../core/redaction/output";

interface OpenOptions extends PageSettings {
  readonly stdout: { write(text: string): unknown };
  readonly signal: AbortSignal;
}

/**
 * Runs `trivet local workspace open` until the signal aborts. A build that is running then is interrupted,
 * and its state is saved.
 *
 * @throws LocalPlatformError if the port cannot be used, or the folder for state is inside the template
 */
export async function runLocalWorkspacePage({
  stdout,
  signal,
  ...settings
}: OpenOptions): Promise<void> {
  const page = await startPage(settings).catch((failure: unknown) => {
    throw explained(failure, settings.port);
  });
  writeText(stdout, `${page.url}\n`);
  writeText(
    stdout,
    "Open this address in a browser. It contains a secret token: do not share it. Ctrl-C stops.\n",
  );
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
  await page.close();
}

function explained(failure: unknown, port: number | undefined): unknown {
  if (!hasCode(failure, "EADDRINUSE") && !hasCode(failure, "EACCES")) return failure;
  return new LocalPlatformError(
    "PORT",
    `The port ${port ?? 0} cannot be used: it is in use, or reserved.`,
    "Choose another one with --port, or leave the option out for a free one.",
  );
}
