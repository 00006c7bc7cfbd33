/**
 * Loaded into the process of an app, and into processes that start it, such as npm and tsc, in which it does nothing.
 *
 * Must load quickly.
 */
import { reportVariable, socketVariable, timeoutMs } from "./app-report";
import { AppRecorder } from "./app-recorder";

const file = process.env[reportVariable];
if (file !== undefined) {
  const recorder = new AppRecorder(file);
  recorder.start(timeoutMs(process.env) ?? 0);
  const socket = process.env[socketVariable];
  if (socket !== undefined) stayFor(socket, recorder);
}

/** Keeps the process of the app, so that it can run again. */
function stayFor(socket: string, recorder: AppRecorder): void {
  process.once("beforeExit", (code) => {
    if (!recorder.isApp || code !== 0) return;
    void import("./rerun.js").then(({ rerunOnRequest }) => {
      rerunOnRequest(socket, recorder);
    });
  });
}
