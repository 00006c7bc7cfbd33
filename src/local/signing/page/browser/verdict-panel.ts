import type { ImageVerdict } from "../../../../core/signing/policy/image-verdict";
import type { VerdictLine } from "../../../../core/signing/policy/verdict-text";
import type { CheckReport } from "../../../../core/signing/tree/image-tree";
import { type Child, element, notice, notices } from "../../../service/page/browser/element.js";
import type { PageImage } from "../page-data";

export function verdictCard({ said, problem }: Pick<PageImage, "said" | "problem">): HTMLElement {
  const card = (...content: readonly Child[]): HTMLElement =>
    element("section", { class: "card verdict" }, element("h3", {}, "Policies"), ...content);
  if (problem !== undefined) return card(notices(notice("error", problem)));
  if (said === undefined) {
    const how = "Start the command with --policy FILE to see what a policy says about the image.";
    return card(element("p", { class: "help" }, how));
  }
  return card(element("p", {}, wordsOf(said)), listOf(said, "reasons"));
}

/** Identifies a candidate: several signatures may be in one place. */
export const candidateKey = (place: string, signer: string | undefined): string =>
  `${place}, by ${signer ?? "nobody"}`;

/** The names of the policies for which each candidate counts. */
export function countedBy(verdict: ImageVerdict): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { name, authorities } of verdict.policies) {
    for (const { counted } of authorities.flatMap(({ requirements }) => requirements)) {
      for (const { candidate, subject, key } of counted) {
        const at = candidateKey(candidate, subject ?? key);
        found.set(at, (found.get(at) ?? new Set()).add(name));
      }
    }
  }
  return new Map([...found].map(([candidate, names]) => [candidate, [...names]]));
}

function listOf({ below }: VerdictLine, style?: string): Child {
  if (below.length === 0) return undefined;
  const items = below.map((line) => element("li", {}, wordsOf(line), listOf(line)));
  return element("ul", { class: style }, items);
}

const wordsOf = ({ words }: VerdictLine): Child =>
  words.map((word) => {
    if (typeof word === "string") return word;
    if ("code" in word) {
      return colouredBadge(word.code === "ACCEPTED" ? "good" : "bad", word.code);
    }
    const { value, attached } = word;
    return attached === undefined ? code(shortened(value)) : placeLink(value, attached.signer);
  });

function placeLink(place: string, signer?: string): HTMLElement {
  const key = signer === undefined ? place : candidateKey(place, signer);
  const open = (): void => {
    const item = document.querySelector<HTMLDetailsElement>(
      `details[data-place^="${CSS.escape(key)}"]`,
    );
    item?.setAttribute("open", "");
    item?.querySelector("summary")?.focus();
  };
  const attributes = { type: "button", class: "link", title: place, click: open };
  return element("button", attributes, shortened(place));
}

export const factList = (facts: readonly string[]): HTMLElement =>
  element(
    "ul",
    { class: "reasons" },
    facts.map((fact) => element("li", {}, fact)),
  );

/** Writes a time in RFC 3339 for people, in UTC, as commands print it. */
export const moment = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** Shortens the digests in a text. */
const shortened = (text: string): string =>
  text.replaceAll(/\b((?:sha\d+[:-])?[\da-f]{12})[\da-f]{20,}/g, "$1…");

export const code = (text: string): HTMLElement => element("code", {}, text);

const words = { verified: "verified", refused: "not verified", unchecked: "not checked" } as const;
const colours = { verified: "good", refused: "bad", unchecked: "warn" } as const;

export const checkBadge = ({ result }: CheckReport): HTMLElement =>
  colouredBadge(colours[result], words[result]);

/** Creates a notice with the reason why something is not verified; undefined if it is. */
export function checkNotice(check: CheckReport): HTMLElement | undefined {
  if (check.result === "verified") return undefined;
  const code = check.code === undefined ? "" : ` (${check.code})`;
  const severity = check.result === "refused" ? "error" : "warning";
  return notices(notice(severity, `${words[check.result]}${code}: ${check.problem}`));
}

export const colouredBadge = (colour: "good" | "bad" | "warn", text: string): HTMLElement =>
  element("span", { class: `badge ${colour}` }, text);
