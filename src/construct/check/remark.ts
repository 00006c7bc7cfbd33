import { parsedJson } from "../../json/plain-json";

/** Where a warning was acknowledged, and why. */
export interface Acknowledged {
  /** The path of the node that was given to `acknowledge`; empty for the app. */
  readonly path: string;
  readonly reason: string;
}

/** What the text of an annotation says. Only the text gets from an app to the command. */
export interface Remark {
  readonly message: string;
  /** The code of the warning. Other libraries' warnings have none. */
  readonly code?: string;
  /** Set if the warning is acknowledged. */
  readonly acknowledged?: Acknowledged;
  /** Set if this is no warning, but about an acknowledgement without one. */
  readonly stale?: Acknowledged;
}

const staleMessage =
  "the acknowledgement matches no warning: remove it, unless `trivet check` shows such a warning";

/** Ends a message with its code. */
export const withCode = (message: string, code: string): string => `${message} [${code}]`;

export const acknowledgedText = (
  message: string,
  code: string,
  { path, reason }: Acknowledged,
): string =>
  `${withCode(message, code)} (acknowledged at ${JSON.stringify(path)}: ${JSON.stringify(reason)})`;

export const staleText = (code: string, acknowledged: Acknowledged): string =>
  acknowledgedText(staleMessage, code, acknowledged);

const json = String.raw`"(?:[^"\\]|\\.)*"`;
const form = new RegExp(
  String.raw`^(.*) \[([a-z]+(?:-[a-z\d]+)+)\](?: \(acknowledged at (${json}): (${json})\))?$`,
  "s",
);

/** Reads the text of an annotation. */
export function readRemark(text: string): Remark {
  const [, message, code, at, because] = form.exec(text) ?? [];
  if (message === undefined || code === undefined) return { message: text };
  if (at === undefined || because === undefined) return { message, code };
  const acknowledged = { path: String(parsedJson(at)), reason: String(parsedJson(because)) };
  return message === staleMessage
    ? { message, code, stale: acknowledged }
    : { message, code, acknowledged };
}
