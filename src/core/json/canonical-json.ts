/**
 * Writes a JSON value in its canonical form: no spaces, keys sorted by UTF-16 code units, numbers and
 * strings as ECMAScript writes them.
 *
 * Members that are undefined are left out, as by `JSON.stringify`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8785
 * @throws TypeError for values that JSON cannot represent: infinite numbers, lone surrogates, big integers,
 * functions, undefined in a list
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case "boolean":
      return String(value);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`JSON cannot represent ${value}`);
      return JSON.stringify(value);
    case "string":
      return canonicalString(value);
    case "object": {
      if (value === null) return "null";
      if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
      const members = Object.entries(value)
        .filter(([, member]) => member !== undefined)
        // The default order of strings is that of their code units, as the RFC requires.
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => `${canonicalString(key)}:${canonicalJson(member)}`);
      return `{${members.join(",")}}`;
    }
    default:
      throw new TypeError(`JSON cannot represent values of type ${typeof value}`);
  }
}

function canonicalString(value: string): string {
  // With the u flag, a pair is one character, so only a lone surrogate matches.
  if (/\p{Surrogate}/u.test(value)) throw new TypeError("JSON cannot represent a lone surrogate");
  return JSON.stringify(value);
}
