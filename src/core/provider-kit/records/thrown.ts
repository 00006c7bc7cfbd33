import { withoutUrlSecrets } from "../../redaction/url-secrets";

const maxDepth = 5;
const maxMembers = 5;
const maxLength = 2000;

/**
 * Describes any thrown value, even one that cannot be converted to a string: its name and message, then its causes, and
 * the members of an `AggregateError` in parentheses, without the secrets of URLs.
 */
export function describeThrown(error: unknown): string {
  try {
    const text = withoutUrlSecrets(describe(error, maxDepth));
    return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  } catch {
    return "a value that cannot be shown was thrown";
  }
}

/** Does not rely on instanceof, because test runners have a separate Error class. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}

function describe(error: unknown, depth: number): string {
  if (!isError(error)) return String(error);
  const members: unknown = "errors" in error ? error.errors : undefined;
  const inner = Array.isArray(members) && depth > 0 ? membersOf(members, depth) : "";
  const { name, message, cause } = error;
  const text = message === "" ? `${name}${inner}` : `${name}: ${message}${inner}`;
  const isShown = isError(cause) || typeof cause === "string";
  return isShown && depth > 0 ? `${text}, caused by ${describe(cause, depth - 1)}` : text;
}

function membersOf(members: readonly unknown[], depth: number): string {
  const texts = members.slice(0, maxMembers).map((each) => describe(each, depth - 1));
  const more = members.length - texts.length;
  return ` (${[...texts, ...(more > 0 ? [`${more} more`] : [])].join("; ")})`;
}
