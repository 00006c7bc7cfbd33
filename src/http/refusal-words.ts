import { isRecord } from "../json/is-object";
import { parsedJson } from "../json/plain-json";

/** Longer bodies are not descriptions of an error. */
const maxBytes = 65_536;
const maxItems = 5;
const maxDepth = 5;

/** The members in which services describe an error, the best description first. */
const descriptions = ["message", "Message", "error_description", "title", "msg", "error", "reason"];

/** The members with more details. */
const additions = ["errors", "detail", "details", "error"];

/**
 * Returns the words in the body of an error response, without the JSON around them: the errors of registries, of
 * token services (RFC 6749), of Google's gateways (Fulcio) and of Rekor, problem details (RFC 9457), and
 * similar ones. Other text is returned as it is. It is not yet fit to be shown: see `serverMessage`.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#error-codes
 */
export function refusalWords(body: Uint8Array): string {
  const text = Buffer.from(body).toString("utf8").trim();
  if (body.byteLength > maxBytes || !/^[{["]/.test(text)) return text;
  const value = parsedJson(text);
  return value === undefined ? text : wordsOf(value, maxDepth).join("; ");
}

function wordsOf(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (depth === 0) return [];
  if (Array.isArray(value)) {
    return value.slice(0, maxItems).flatMap((item) => wordsOf(item, depth - 1));
  }
  return isRecord(value) ? wordsOfError(value, depth) : [];
}

function wordsOfError(error: Readonly<Record<string, unknown>>, depth: number): readonly string[] {
  const found = descriptions.find((name) => isText(error[name]));
  const description = found === undefined ? "" : String(error[found]);
  const more = additions
    .filter((name) => name !== found && !(name === "error" && isText(error[name])))
    .flatMap((name) => wordsOf(error[name], depth - 1))
    .filter((words) => words !== description);
  // Numbers repeat the HTTP status, or are those of gRPC.
  const code = [error["code"], error["error"]].find((each) => isText(each) && each !== description);
  if (description === "" && code === undefined && more.length === 0) return leavesOf(error);
  const head = [code, description].filter(isText).join(": ");
  if (head === "") return more;
  return [more.length === 0 ? head : `${head} (${more.join("; ")})`];
}

/** The members of an object that is no error, such as the detail of one: `name lab/app, action pull`. */
function leavesOf(object: Readonly<Record<string, unknown>>): readonly string[] {
  const leaves = Object.entries(object).filter(([, value]) => isText(value));
  const words = leaves.slice(0, maxItems).map(([name, value]) => `${name} ${String(value)}`);
  return words.length === 0 ? [] : [words.join(", ")];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
