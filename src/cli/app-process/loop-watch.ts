/** The thread of a {@link LoopGuard}. */
import { writeFileSync, writeSync } from "node:fs";
import { type Debugger, Session } from "node:inspector";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, workerData } from "node:worker_threads";
import { positionText, type SourcePosition } from "../../changes/construct-place";
import { timeoutVariable, type AppReport } from "./app-report";
import { isUsersFile, sourceIn } from "./source-position";

export interface LoopWatch {
  /** The signs of life so far, and the time in milliseconds without one that is allowed; 0 while nothing runs. */
  readonly shared: Int32Array;
  readonly reportFile: string;
}

/** The time between two looks, in milliseconds. */
const lookMs = 100;

/** The time after which the place counts as unknown, in milliseconds. */
const patienceMs = 2000;

if (!isMainThread) watch(workerData as LoopWatch);

function watch({ shared, reportFile }: LoopWatch): void {
  let [beats, since] = [-1, 0];
  const timer = setInterval(() => {
    const now = Atomics.load(shared, 0);
    const limit = Atomics.load(shared, 1);
    if (now !== beats || limit === 0) {
      [beats, since] = [now, performance.now()];
      return;
    }
    if (performance.now() - since < limit) return;
    clearInterval(timer);
    void end(reportFile, limit);
  }, lookMs);
}

/** Writes the report, and ends the process. */
async function end(reportFile: string, limitMs: number): Promise<void> {
  const position = await Promise.race([currentPosition(), wait(patienceMs, undefined)]);
  const message =
    `the app has not given way for ${String(limitMs / 1000)} s, as in an endless loop, and is ended. ` +
    `If it needs more time, set ${timeoutVariable} to a number of seconds.`;
  const report: AppReport = {
    positions: {},
    failure: { message, causes: [], ...(position !== undefined && { position }) },
  };
  writeFileSync(reportFile, JSON.stringify(report), { mode: 0o600 });
  const at = position === undefined ? "" : `${positionText(position)}: `;
  writeSync(2, `trivet: ${at}${message}\n`);
  process.kill(process.pid, "SIGKILL");
}

/** Stops the main thread, and finds its place in the user's code. */
async function currentPosition(): Promise<SourcePosition | undefined> {
  const session = new Session();
  session.connectToMainThread();
  const files = new Map<string, string>();
  session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => {
    files.set(scriptId, url.startsWith("file:") ? fileURLToPath(url) : url);
  });
  const paused = new Promise<readonly Debugger.CallFrame[]>((resolve) => {
    session.on("Debugger.paused", ({ params }) => {
      resolve(params.callFrames);
    });
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
  const fileOf = ({ location }: Debugger.CallFrame): string => files.get(location.scriptId) ?? "";
  const frame = (await paused).find((each) => isUsersFile(fileOf(each)));
  if (frame === undefined) return undefined;
  const { scriptId, lineNumber, columnNumber = 0 } = frame.location;
  const source = await new Promise<string>((resolve) => {
    session.post("Debugger.getScriptSource", { scriptId }, (_error, result) => {
      resolve(result.scriptSource);
    });
  });
  return sourceIn(source, {
    file: fileOf(frame),
    line: lineNumber + 1,
    column: columnNumber + 1,
  });
}
