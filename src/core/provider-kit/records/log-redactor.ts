import { describeThrown, isError } from "./thrown";
import { printable } from "../../redaction/printable";
import { redactedText, Redactor } from "../../redaction/redactor";
import { withoutUrlSecrets } from "../../redaction/url-secrets";

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
