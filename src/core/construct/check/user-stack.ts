import { join, sep } from "node:path";
import { createContext, runInContext } from "node:vm";
import { type IConstruct, Node } from "constructs";

/** Anything with a stack trace: an error, or a recorded place. */
export interface Traced {
  stack?: string | undefined;
}

/** The folder of this library: with its compiled files, or with its sources in a test. */
const ownFolder = join(__dirname, "..", "..", "..") + sep;

function isUsers(frame: string): boolean {
  return (
    !/[( ]node:|[/\\]node_modules[/\\]|<anonymous>\)?$/.test(frame) && !frame.includes(ownFolder)
  );
}

/** The frames of a stack trace in the user's own code; all frames if none of them is. */
function userFrames(frames: string): string[] {
  const all = frames.split("\n").filter((line) => /^\s+at /.test(line));
  const own = all.filter(isUsers);
  return own.length === 0 ? all : own;
}

/** Enough for the user's line below the lines of a method that creates a construct, such as `addApp`. */
const recordedFrames = 4;

/**
 * Records where the program is. The place is formatted only when it is needed: recording takes a few
 * microseconds, formatting much longer.
 *
 * @param below the function below which the place is
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- the parameter type of captureStackTrace
export function recordPlace(below: Function): Traced {
  const place: Traced = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Math.min(limit, recordedFrames);
  Error.captureStackTrace(place, below);
  Error.stackTraceLimit = limit;
  return place;
}

/** The user's line at a recorded place, such as `at new WatchStack (/app/watch.ts:14:18)`. */
export function lineOf({ stack = "" }: Traced): string | undefined {
  return userFrames(stack)[0]?.trim();
}

/**
 * Reduces the stack trace of an error to the user's own lines, so that Node.js prints little more than the
 * message for an uncaught one. cdktf prints that twice.
 */
export function withUserStack<Thrown extends Error>(error: Thrown): Thrown {
  const { message, stack = "" } = error;
  const end = stack.indexOf(message) + message.length;
  const frames = userFrames(stack.slice(end));
  withoutSourceLine(error);
  error.stack = [stack.slice(0, end), ...frames].join("\n");
  return error;
}

let context: { error?: Error } | undefined;

/**
 * Keeps Node.js from printing the line of the throw statement, which is not the user's, above an uncaught
 * error. Node.js adds that line once to an error that leaves a script, and here it is removed again.
 *
 * @see https://nodejs.org/api/vm.html#scriptrunincontextcontextifiedobject-options (displayErrors)
 */
function withoutSourceLine(error: Error): void {
  context ??= createContext({}) as { error?: Error };
  context.error = error;
  try {
    runInContext("throw error", context, { displayErrors: true });
  } catch {
    // The same error.
  }
  delete context.error;
}

/** Receives the place in the user's code where each construct is created. */
export type ConstructObserver = (construct: IConstruct, place: Traced) => void;

/**
 * The observer of this process. A process that runs an app for `trivet` sets it, before it loads this library.
 * Without one, nothing is observed, and nothing takes time.
 */
const observer = (globalThis as Partial<Record<symbol, ConstructObserver>>)[
  Symbol.for("@trivet/constructs:observer")
];

/** Reports where a construct of this library is created. Its place is recorded in any case. */
export function observePlace(construct: IConstruct, place: Traced): void {
  observer?.(construct, place);
}

/**
 * Reports all other constructs, such as stacks and bindings of other providers.
 *
 * @param isOwn checks for a construct of this library. What it creates is a part of it
 */
export function observeOthers(isOwn: (construct: IConstruct) => boolean): void {
  if (observer === undefined) return;
  const { prototype } = Node as unknown as { readonly prototype: NodePrototype };
  const add = prototype.addChild;
  prototype.addChild = function (child, name) {
    add.call(this, child, name);
    if (!isOwn(child) && !isOwn(this.host)) observer(child, recordPlace(child.constructor));
  };
}

/** The private method of constructs through which each node gets into the tree. */
interface NodePrototype {
  addChild: (this: { readonly host: IConstruct }, child: IConstruct, name: string) => void;
}
