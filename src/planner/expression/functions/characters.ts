import { spend } from "../budget";
import { NotComputed } from "../value";

/**
 * Scripts whose conjuncts are one cluster since Unicode 15.1. Terraform has the tables of Unicode 15.0.
 */
const hasNewerConjuncts =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Telugu}\p{Script=Malayalam}]/u;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Splits a text into what users take for characters: grapheme clusters. */
export function graphemesOf(text: string): readonly string[] {
  // A line break after a carriage return is the only cluster in ASCII.
  if (/^[\0-\x7f]*$/.test(text)) return text.match(/\r\n|[^]/g) ?? [];
  if (hasNewerConjuncts.test(text)) throw new NotComputed();
  spend(8 * text.length);
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Letters of which Unicode's full mapping has several, and the simple one of Go another. */
const hasOtherMapping = /[\u0130\u1f80-\u1fff]/u;

/** Letters whose other case is newer than Unicode 15.0, which Terraform has. */
const isNewer =
  /[\u019b\u0264\u1c89\u1c8a\ua7cb-\ua7cf\ua7d2-\ua7d5\ua7da-\ua7dc\u{10d50}-\u{10d85}\u{16ea0}-\u{16ed3}]/u;

/** Letters of which the first in a word is neither the upper nor the lower form. */
const hasTitle = /[\u01c4-\u01cc\u01f1-\u01f3\u1c90-\u1cbf\u10d0-\u10ff]/u;

/** Maps each code point to one other, as Go does: the German sharp s stays. */
function mapped(text: string, map: (character: string) => string): string {
  if (hasOtherMapping.test(text) || isNewer.test(text)) throw new NotComputed();
  return Array.from(text, (character) => {
    const other = map(character);
    return Array.from(other).length === 1 ? other : character;
  }).join("");
}

export const upperCase = (text: string): string =>
  mapped(text, (character) => character.toUpperCase());

export const lowerCase = (text: string): string =>
  mapped(text, (character) => character.toLowerCase());

/** What ends a word: in ASCII all but letters, digits and the underscore, otherwise space. */
const separator = /^[\0-/:-@[-^`{-\x7f\p{White_Space}]$/u;

/** Changes the first letter of each word. */
export function titleCase(text: string): string {
  if (hasTitle.test(text)) throw new NotComputed();
  let before = " ";
  return Array.from(text, (character) => {
    const isFirst = separator.test(before);
    before = character;
    return isFirst ? upperCase(character) : character;
  }).join("");
}
