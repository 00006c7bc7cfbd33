/**
 * Writes a JSON value in its canonical form (RFC 8785): no spaces, keys sorted by UTF-16 code units,
 * numbers and strings as ECMAScript writes them.
 *
 * Members that are undefined are left out, as by `JSON.stringify`.
 *
 * @throws TypeError for what JSON cannot hold: infinite numbers, lone surrogates, big integers,
 * functions, undefined in a list
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case "boolean":
      return String(value);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`JSON has no number ${value}`);
      return JSON.stringify(value);
    case "string":
      return canonicalString(value);
    case "object": {
      if (value === null) return "null";
      if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
      const members = Object.entries(value)
        .filter(([, member]) => member !== undefined)
        // The default order of strings is that of their code units, as the RFC wants it.
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => `${canonicalString(key)}:${canonicalJson(member)}`);
      return `{${members.join(",")}}`;
    }
    default:
      throw new TypeError(`JSON has no value of type ${typeof value}`);
  }
}

function canonicalString(text: string): string {
  // With the u flag a whole pair is one character, so only a lone half matches.
  if (/\p{Surrogate}/u.test(text))
    throw new TypeError("a text with half a surrogate pair is not JSON");
  return JSON.stringify(text);
}
