import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { Worker, workerData } from "node:worker_threads";
import { isRecord } from "../../json/plain-json";
import { CodePlaces } from "./code-place";

/** How often the main thread shows that it is not blocked. */
const beatMs = 500;

interface Watched {
  readonly beats: SharedArrayBuffer;
  readonly limitMs: number;
}

/**
 * Ends this process when its thread is blocked, as by a loop that never ends: nothing else could. What blocks it, with its
 * line, is printed first.
 *
 * @param file the module that calls {@link watchFromWorker} in a worker
 */
export function watchLoop(file: string, limitMs: number): void {
  const beats = new SharedArrayBuffer(4);
  const counter = new Int32Array(beats);
  const watched: Watched = { beats, limitMs };
  const worker = new Worker(file, { workerData: watched, execArgv: [] });
  worker.unref();
  setInterval(() => Atomics.add(counter, 0, 1), beatMs).unref();
}

/** Watches the main thread. */
export function watchFromWorker(): void {
  const data: unknown = workerData;
  if (!isRecord(data) || !(data["beats"] instanceof SharedArrayBuffer)) return;
  const counter = new Int32Array(data["beats"]);
  const most = Math.ceil(Number(data["limitMs"]) / beatMs);
  let seen = -1;
  let missed = 0;
  const timer = setInterval(() => {
    const count = Atomics.load(counter, 0);
    missed = count === seen ? missed + 1 : 0;
    seen = count;
    if (missed < most) return;
    clearInterval(timer);
    endBlocked(Math.round((most * beatMs) / 1000));
  }, beatMs);
}

/** How long the debugger may take. A thread that is blocked outside of JavaScript does not pause. */
const pauseMs = 2000;

function endBlocked(seconds: number): void {
  const session = new Session();
  session.connectToMainThread();
  const codePlaces = new CodePlaces(session);
  const end = (places: readonly string[]): void => {
    const lines = [
      `panic: The thread of the project's providers was blocked for ${seconds} s, as by an endless loop, so its process was ended:`,
      ...places.map((place) => `    at ${place}`),
    ];
    writeSync(2, `${lines.join("\n")}\n`);
    process.kill(process.pid, "SIGKILL");
  };
  session.on("Debugger.paused", ({ params }) => {
    const found = params.callFrames.map(async ({ functionName, location }) => {
      const place = await codePlaces.find(location);
      return place === undefined ? [] : [`${functionName || "<anonymous>"} (${place})`];
    });
    void Promise.all(found).then((places) => {
      end(places.flat());
    });
  });
  session.post("Debugger.pause");
  setTimeout(() => {
    end([]);
  }, pauseMs);
}
