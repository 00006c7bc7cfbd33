import { element, type Child } from "../../../local-service/page/browser/element.js";
import { facts } from "../../../local-service/page/browser/facts.js";
import type {
  CertificateReport,
  CheckReport,
  LogEntryReport,
  TimestampReport,
} from "../../tree/image-tree";
import { notice, notices } from "../../../local-service/page/browser/notices.js";

export function certificateSection(certificate: CertificateReport): HTMLElement {
  const { subjects, issuer, authority, notBefore, notAfter, serialNumber } = certificate;
  return section(
    "Certificate",
    element(
      "p",
      { class: "help" },
      `${authority} confirms that the key belongs to ${subjects.join(" and ") || "nobody"}` +
        `${issuer === undefined ? "" : `, whom ${issuer} has identified`}. ` +
        `It could sign from ${moment(notBefore)} to ${moment(notAfter)}.`,
    ),
    facts([
      ["Key", certificate.key],
      ["Serial number", code(serialNumber)],
      ["Promises of certificate logs", String(certificate.promises)],
      ...certificate.facts.map(({ name, value }) => [name, value] as const),
    ]),
  );
}

/** Shows an entry of a log, its proof, and what was checked. */
export function logSection(entry: LogEntryReport): HTMLElement {
  const { url, logId, index, kind, time, hasPromise, proof, check } = entry;
  return section(
    `Log entry ${index}`,
    element("p", { class: "help" }, checkBadge(check), ` ${explanation(entry)}`),
    checkNotice(check),
    facts([
      ["Log", url ?? code(logId)],
      ["Kind", kind ?? "not readable"],
      ["Added", time === undefined ? "without a time" : moment(time)],
      ["Signed promise", hasPromise ? "yes" : "no"],
      ...(proof === undefined
        ? []
        : ([
            ["Name of the log", proof.origin],
            ["Entries in the tree", String(proof.treeSize)],
            ["Hashes in the proof", String(proof.hashes)],
            ["Root of the tree", code(proof.rootHash)],
          ] as const)),
    ]),
  );
}

function explanation({ proof, hasPromise, check }: LogEntryReport): string {
  const what = [
    ...(hasPromise ? ["the log's signature on the entry"] : []),
    ...(proof === undefined
      ? []
      : [`the proof that the tree of ${proof.treeSize} entries contains it`, "the signed root"]),
  ];
  const list = what.join(", ") || "nothing";
  return check.result === "verified" ? `Checked: ${list}.` : `It has ${list}.`;
}

export const timestampSection = ({ time, check }: TimestampReport): HTMLElement =>
  section(
    "Timestamp",
    element(
      "p",
      { class: "help" },
      checkBadge(check),
      time === undefined ? " not readable" : ` A timestamp authority saw it at ${moment(time)}.`,
    ),
    checkNotice(check),
  );

/** Writes a time in RFC 3339 for people, in UTC, as commands print it. */
export const moment = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** Shortens the digests in a text, which few people read. */
export const shortened = (text: string): string =>
  text.replaceAll(/\b((?:sha\d+[:-])?[\da-f]{12})[\da-f]{20,}/g, "$1…");

export const code = (text: string): HTMLElement => element("code", {}, text);

const section = (title: string, ...content: readonly Child[]): HTMLElement =>
  element("section", {}, element("h3", {}, title), ...content);

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
