import { spend } from "../budget";
import { NotComputed } from "../value";

/**
 * Scripts whose conjuncts are one cluster since Unicode 15.1. Terraform has the tables of Unicode 15.0.
 */
const isNewer =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Telugu}\p{Script=Malayalam}]/u;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Splits a text into what users take for characters: grapheme clusters. */
export function graphemesOf(text: string): readonly string[] {
  // A line break after a carriage return is the only cluster in ASCII.
  if (/^[\0-\x7f]*$/.test(text)) return text.match(/\r\n|[^]/g) ?? [];
  if (isNewer.test(text)) throw new NotComputed();
  spend(8 * text.length);
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
