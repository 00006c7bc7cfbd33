import { spend } from "../budget";
import { NotComputed } from "../value";

/** Scripts whose conjuncts are one cluster since Unicode 15.1. Terraform uses Unicode 15.0. */
const hasNewerConjuncts =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Telugu}\p{Script=Malayalam}]/u;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Splits a text into grapheme clusters, which users see as characters. */
export function graphemesOf(text: string): readonly string[] {
  // A line break after a carriage return is the only cluster in ASCII.
  if (/^[\0-\x7f]*$/.test(text)) return text.match(/\r\n|[^]/g) ?? [];
  if (hasNewerConjuncts.test(text)) throw new NotComputed();
  spend(8 * text.length);
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Letters that Unicode maps to several letters, and Go to a single one. */
const hasOtherMapping = /[\u0130\u1f80-\u1fff]/u;

/** Letters whose other case is newer than Terraform's Unicode 15.0. */
const isNewer =
  /[\u019b\u0264\u1c89\u1c8a\ua7cb-\ua7cf\ua7d2-\ua7d5\ua7da-\ua7dc\u{10d50}-\u{10d85}\u{16ea0}-\u{16ed3}]/u;

/** Letters with a title case of their own. */
const hasTitle = /[\u01c4-\u01cc\u01f1-\u01f3\u1c90-\u1cbf\u10d0-\u10ff]/u;

/** Like Go, maps each code point to a single one: the German sharp s stays. */
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

/** What separates words: in ASCII, all but letters, digits and the underscore; elsewhere, white space. */
const separator = /^[\0-/:-@[-^`{-\x7f\p{White_Space}]$/u;

export function titleCase(text: string): string {
  if (hasTitle.test(text)) throw new NotComputed();
  let before = " ";
  return Array.from(text, (character) => {
    const isFirst = separator.test(before);
    before = character;
    return isFirst ? upperCase(character) : character;
  }).join("");
}
