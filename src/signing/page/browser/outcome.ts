import { element } from "../../../local-service/page/browser/element.js";
import { notice, notices } from "../../../local-service/page/browser/notices.js";
import type { CheckReport } from "../../tree/image-tree";

const words = { verified: "verified", refused: "not verified", unchecked: "not checked" } as const;
const colours = { verified: "good", refused: "bad", unchecked: "warn" } as const;

/** Creates a badge with the outcome of a check. */
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
