import { Fn, Token } from "cdktf";

/**
 * The JSON of a value as Terraform is to be given it: a token stays a token, which Terraform encodes when
 * it knows the value, and `${` stays the letters that it is.
 *
 * @throws TypeError for what JSON cannot hold: a cycle, a bigint
 */
export function jsonText(value: object): string {
  const tokens: unknown[] = [];
  const text = JSON.stringify(value, function (this: unknown, name, shown: unknown) {
    // Tokens have a `toJSON` of their own, which is called before this.
    const given: unknown = isHolder(this) ? this[name] : shown;
    if (!Token.isUnresolved(given)) return shown;
    tokens.push(given);
    return `${placeholder}${tokens.length - 1}`;
  });
  return text
    .replaceAll(/([$%])\{(?!TfToken\[)/g, "$1$1{")
    .replaceAll(placeholderText, (_whole, index) => Fn.jsonencode(escaped(tokens[Number(index)])));
}

/** Not a letter that a text has by accident; JSON writes it as an escape. */
const placeholder = "\u0000token ";
const placeholderText = /"\\u0000token (\d+)"/g;

const isHolder = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** cdktf puts the letters beside a token into an expression without a look at them. */
function escaped(token: unknown): unknown {
  if (typeof token !== "string") return token;
  return token.replaceAll(
    /(\$\{TfToken\[[^\]]*\]\})|[\\"\r\t]|%(?=\{)/g,
    (letters, marker: string | undefined) => marker ?? escapes[letters] ?? letters,
  );
}

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\r": "\\r",
  "\t": "\\t",
  "%": "%%",
};
