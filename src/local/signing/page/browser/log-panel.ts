import { element, facts } from "../../../service/page/browser/element.js";
import type { LoggedEntry, LogPage } from "../page-data";
import { checkBadge, checkNotice, code, factList, moment } from "./verdict-panel.js";

export function logPanel(page: LogPage, showOlder: () => void): readonly HTMLElement[] {
  const { size, entries } = page;
  if (size === 0) return [element("p", { class: "empty" }, "The log has no entries.")];
  const last = entries.at(-1)?.index ?? 0;
  return [
    element(
      "p",
      { class: "help" },
      `${size} ${size === 1 ? "entry" : "entries"}, the newest first.`,
    ),
    element(
      "ul",
      { class: "tree" },
      entries.map((entry) => element("li", {}, entryDetails(entry))),
    ),
    ...(last > 0
      ? [
          element(
            "button",
            { type: "button", "data-key": "older", click: showOlder },
            "Show older entries",
          ),
        ]
      : []),
  ];
}

function entryDetails(entry: LoggedEntry): HTMLElement {
  const { index, time, check, certificate, key, content, facts: said } = entry;
  const who = certificate?.subjects.join(" and ") ?? `the key ${(key ?? "").slice(0, 16)}…`;
  return element(
    "details",
    { class: "item", "data-key": `entry ${index}` },
    element(
      "summary",
      {},
      element("span", { class: "row" }, element("strong", {}, `Entry ${index}`), checkBadge(check)),
      element(
        "span",
        { class: "help" },
        time === undefined ? `by ${who}` : `by ${who} · ${moment(time)}`,
      ),
    ),
    element(
      "div",
      { class: "evidence" },
      facts([
        ["What was signed", code(content ?? "not readable")],
        ...(key === undefined ? [] : [["Key (SHA-256)", code(key)] as const]),
      ]),
      checkNotice(check),
      factList(said),
    ),
  );
}
