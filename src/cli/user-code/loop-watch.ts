/** The thread of a {@link LoopGuard}. */
import { writeFileSync, writeSync } from "node:fs";
import { type Debugger, Session } from "node:inspector";
import { setTimeout as wait } from "node:timers/promises";
import { isMainThread, workerData } from "node:worker_threads";
import { positionText, type SourcePosition } from "../../planner/changes/construct-place";
import { printable } from "../../core/redaction/printable";
import { CodePlaces } from "./source-position";

export interface LoopWatch {
  /** The number of signs of life, and the longest time in milliseconds without one; 0 while nothing runs. */
  readonly shared: Int32Array;
  /** Set for the process of an app. Any other one serves the providers of a project. */
  readonly app?: {
    /** Receives the failure, as the report of the app. */
    readonly reportFile: string;
    /** What to do if it needs more time. */
    readonly advice: string;
  };
}

/** A function that runs, in the user's code. */
interface Frame {
  readonly name: string;
  readonly position: SourcePosition;
}

/** The time between two checks, in milliseconds. */
const lookMs = 100;

/** The time after which the place counts as unknown, in milliseconds: long, because the machine may be busy. */
const patienceMs = 10_000;

if (!isMainThread) watch(workerData as LoopWatch);

function watch({ shared, app }: LoopWatch): void {
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
    void end(Math.ceil(limit / 1000), app);
  }, lookMs);
}

/** Reports where the process is, and ends it. */
async function end(seconds: number, app: LoopWatch["app"]): Promise<void> {
  try {
    // Without an inspector, as in Bun, the place is unknown.
    const found = currentFrames().catch(() => []);
    const frames = await Promise.race([found, wait(patienceMs, [])]);
    const text = app === undefined ? panic(seconds, frames) : failure(seconds, frames, app);
    writeSync(2, `${printable(text)}\n`);
  } finally {
    process.kill(process.pid, "SIGKILL");
  }
}

/** Writes the report of an app. Returns what is printed. */
function failure(
  seconds: number,
  [frame]: readonly Frame[],
  { reportFile, advice }: NonNullable<LoopWatch["app"]>,
): string {
  const message = `the app was blocked for ${String(seconds)} s, as by an endless loop, and was ended. ${advice}`;
  const position = frame?.position;
  const report = { failure: { message, causes: [], position } };
  writeFileSync(reportFile, JSON.stringify(report), { mode: 0o600 });
  return `trivet: ${position === undefined ? "" : `${positionText(position)}: `}${message}`;
}

/** Returns what a provider prints before it ends. Terraform shows it. */
function panic(seconds: number, frames: readonly Frame[]): string {
  const blocked =
    `panic: The thread of the project's providers was blocked for ${String(seconds)} s, ` +
    "as by an endless loop, so its process was ended:";
  const lines = frames.map(
    ({ name, position: { file, line, column } }) => `    at ${name} (${file}:${line}:${column})`,
  );
  return [blocked, ...lines].join("\n");
}

/** Stops the main thread, and finds the functions of the user that run there, the innermost first. */
async function currentFrames(): Promise<readonly Frame[]> {
  const session = new Session();
  session.connectToMainThread();
  const places = new CodePlaces(session);
  const paused = new Promise<readonly Debugger.CallFrame[]>((resolve) => {
    session.on("Debugger.paused", ({ params }) => {
      resolve(params.callFrames);
    });
  });
  session.post("Debugger.pause");
  const frames = (await paused).map(async ({ functionName, location }) => {
    const position = await places.find(location);
    return position === undefined ? [] : [{ name: functionName || "<anonymous>", position }];
  });
  return (await Promise.all(frames)).flat();
}
