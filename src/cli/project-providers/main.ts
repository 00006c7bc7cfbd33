import { createRequire } from "node:module";
import type { serveProject } from "../../core/provider-kit/host";
import { LoopGuard } from "../user-code/loop-guard";
import { loadProviders } from "./definitions";
import { watchHandlers } from "./handler-watch";
import { kitPackage } from "./provider-file";

/** How long a handler can take before it is reported. */
const reportMs = 60_000;

/** How long a handler can block the process before it is ended. */
const blockedMs = 30_000;

/**
 * The process that serves the providers of a project for `trivet`: `main.js FILE [REPORT-MS BLOCKED-MS]`.
 */
function main(path: string, report = String(reportMs), blocked = String(blockedMs)): void {
  const host = createRequire(path)(`${kitPackage}/host`) as {
    readonly serveProject: typeof serveProject;
  };
  // The first line of standard output is for `trivet`, whatever is printed while the file is loaded.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  new LoopGuard({}).watch(Number(blocked));
  const providers = loadProviders(path, (definition) =>
    watchHandlers(definition, Number(report), tell),
  );
  host.serveProject(providers);
}

/** Writes to the log, which `trivet` reads. It shows entries about waiting. */
function tell(text: string): void {
  const entry = { "@level": "warn", "@message": text, "@module": "provider", waitMs: reportMs };
  process.stderr.write(`${JSON.stringify(entry)}\n`);
}

const [, , path, report, blocked] = process.argv;
if (path !== undefined) main(path, report, blocked);
