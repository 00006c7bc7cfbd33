/** The words of an enumeration that is declared as a table of words and meanings. */
export function enumValues<const Meanings extends Readonly<Record<string, string>>>(
  meanings: Meanings,
): readonly Extract<keyof Meanings, string>[] {
  // The keys of a literal table are exactly its words.
  return Object.keys(meanings) as Extract<keyof Meanings, string>[];
}

/** What the words of an enumeration mean, as one sentence of a description. */
export function enumMeanings(meanings: Readonly<Record<string, string>>): string {
  const all = Object.entries(meanings).map(([word, meaning]) => `\`${word}\` ${meaning}`);
  return `${all.join("; ")}.`;
}
