/** Returns the values of an enum that is declared as a table of values and their meanings. */
export function enumValues<const Meanings extends Readonly<Record<string, string>>>(
  meanings: Meanings,
): readonly Extract<keyof Meanings, string>[] {
  // The keys of a literal table are exactly its values.
  return Object.keys(meanings) as Extract<keyof Meanings, string>[];
}

/** Returns the meanings of an enum's values, as one sentence of a description. */
export function enumMeanings(meanings: Readonly<Record<string, string>>): string {
  const all = Object.entries(meanings).map(([value, meaning]) => `\`${value}\` ${meaning}`);
  return `${all.join("; ")}.`;
}
