import { printable } from "../../redaction/printable";
import { redactedText, Redactor, withoutUrlSecrets } from "../../redaction/redactor";

const maxCauses = 5;
const maxMembers = 5;
const maxLength = 2000;

/**
 * Describes any thrown value, even one that cannot be converted to a string: its name and message, then its causes, and
 * the members of an `AggregateError` in parentheses, without the secrets of URLs.
 */
export function describeThrown(error: unknown): string {
  try {
    const text = withoutUrlSecrets(describe(error, maxCauses));
    return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  } catch {
    return "a value that cannot be shown was thrown";
  }
}

/** Does not rely on instanceof, because test runners have a separate Error class. */
function isError(value: unknown): value is Error {
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

const secretName =
  /token|secret|password|passphrase|credential|authorization|cookie|api_?-?key|private_?-?key/i;
const maxDepth = 6;
const maxItems = 100;
const maxTextLength = 8192;

/** A redactor for log messages and fields. */
export class LogRedactor extends Redactor {
  /**
   * Returns the text as one line of at most 8192 characters, with secrets and the query strings and
   * user information of URLs redacted, and control characters visible.
   */
  text(text: string): string {
    let clean = withoutUrlSecrets(this.redact(text));
    clean = printable(clean.replace(/\r?\n|[\r\u2028\u2029]/g, "\\n"));
    if (clean.length <= maxTextLength) return clean;
    return `${clean.slice(0, maxTextLength)}… (${clean.length - maxTextLength} more characters)`;
  }

  /**
   * Converts a field's value to JSON. Redacts the whole value if the field's name suggests a
   * secret.
   */
  field(name: string, value: unknown, depth = 0): unknown {
    if (secretName.test(name)) return redactedText;
    switch (typeof value) {
      case "string":
        return this.text(value);
      case "number":
        return Number.isFinite(value) ? value : String(value);
      case "boolean":
      case "undefined":
        return value;
      case "bigint":
        return this.text(String(value));
      case "symbol":
      case "function":
        return `[${typeof value}]`;
      case "object":
        return value === null ? null : this.#object(value, depth);
    }
  }

  #object(value: object, depth: number): unknown {
    if (isError(value)) return this.text(describeThrown(value));
    if (value instanceof URL) return this.text(value.href);
    if (value instanceof Date) return this.text(String(value));
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (depth >= maxDepth) return "…";
    if (Array.isArray(value)) {
      return value.slice(0, maxItems).map((item: unknown) => this.field("", item, depth + 1));
    }
    const entries = Object.entries(value as Readonly<Record<string, unknown>>);
    return Object.fromEntries(
      entries
        .slice(0, maxItems)
        .map(([name, item]) => [this.text(name), this.field(name, item, depth + 1)]),
    );
  }
}
