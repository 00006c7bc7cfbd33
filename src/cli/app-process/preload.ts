/**
 * Loaded into the process of an app, and into those that start it, such as npm and tsc. There it does nothing.
 *
 * Nothing else may be loaded here that takes time.
 */
import { writeFileSync } from "node:fs";
import { ConstructPositions } from "./construct-positions";
import { type AppFailure, failureOf } from "./app-failure";
import { type AppReport, reportVariable } from "./app-report";
import { SourcePositions } from "./source-position";

const file = process.env[reportVariable];
if (file !== undefined) report(file);

function report(path: string): void {
  const sources = new SourcePositions();
  const places = new ConstructPositions(sources);
  let failure: AppFailure | undefined;
  Object.defineProperty(globalThis, Symbol.for("@trivet/constructs:observer"), {
    value: places.observe,
  });
  process.on("uncaughtExceptionMonitor", (error) => {
    failure = failureOf(error, sources);
  });
  process.on("exit", () => {
    const positions = places.read();
    if (failure === undefined && Object.keys(positions).length === 0) return;
    const written: AppReport = { positions, ...(failure !== undefined && { failure }) };
    writeFileSync(path, JSON.stringify(written), { mode: 0o600 });
  });
}
