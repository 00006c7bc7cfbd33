/** The fields that an input can have, of an attestation and of a whole policy, also in a cluster. */
const inputFields: ReadonlySet<string> = new Set(
  "_type subject predicateType predicate authorityMatches config spec metadata typemeta".split(" "),
);

const name = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const string = String.raw`(?<!#)(#*)("""|'''|"|')(?:\\[^]|(?!\2\1)[^])*(?:\2\1|$)`;
const label = String.raw`[\p{L}\p{N}_$]|\s*[?!]?:`;
/** Comments, strings, and names that are neither labels nor selected from something. */
const lexemes = new RegExp(
  String.raw`//[^\n]*|${string}|(?<![.\p{L}\p{N}_$#])${name}(?!${label})`,
  "gu",
);

/**
 * True for a field at the top of a policy that no input can have, and to which the policy refers, such as a point in time
 * with which it compares. Any other field may be a slip in the name of one that the input should have.
 */
export function isHelper(field: string, policy: string): boolean {
  if (inputFields.has(field)) return false;
  return [...policy.matchAll(lexemes)].some(([lexeme, hashes, quote]) => {
    if (quote === undefined) return lexeme === field;
    const [, ...interpolated] = lexeme.split(`\\${hashes ?? ""}(`);
    const names = interpolated.flatMap((each) => each.match(new RegExp(name, "gu")) ?? []);
    return names.includes(field);
  });
}
