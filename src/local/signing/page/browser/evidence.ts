import { element } from "../../../service/page/browser/element.js";
import type { CheckReport } from "../../../../core/signing/tree/image-tree";
import { notice, notices } from "../../../service/page/browser/notices.js";

/** Shows what is said about something. */
export const factList = (facts: readonly string[]): HTMLElement =>
  element(
    "ul",
    { class: "reasons" },
    facts.map((fact) => element("li", {}, fact)),
  );

/** Writes a time in RFC 3339 for people, in UTC, as commands print it. */
export const moment = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** Shortens the digests in a text, which few people read. */
export const shortened = (text: string): string =>
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
