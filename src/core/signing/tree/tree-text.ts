import type {
  AttachedItem,
  CertificateReport,
  CheckReport,
  ImageTree,
  LogEntryReport,
} from "./image-tree";
import { wrapped } from "../../redaction/wrapped";
import { printableLine } from "../../redaction/printable";

/**
 * Draws a tree for a terminal.
 *
 * @param width of the terminal in characters. @default lines are not broken
 */
export function treeText(tree: ImageTree, width = Infinity): string {
  return `${imageLines(tree, tree.image, width).join("\n")}\n`;
}

function imageLines(tree: ImageTree, name: string, width: number): readonly string[] {
  const { attached, images, notes } = tree;
  const inner = width - indent.length;
  const branches = [
    ...attached.map((item) => itemLines(item, inner)),
    ...images.map((each) => imageLines(each, childName(each), inner)),
    ...notes.map((note) => broken(`! ${note}`, inner, "  ")),
  ];
  const nothing = branches.length === 0 ? [["nothing is attached"]] : branches;
  return [...broken(name, width, ""), ...drawn(nothing)];
}

const drawn = (branches: readonly (readonly string[])[]): readonly string[] =>
  branches.flatMap((lines, at) => branch(lines, at === branches.length - 1));

function childName({ image, platform = "image", isAboutImage = false }: ImageTree): string {
  const role = isAboutImage ? " (attached by the builder)" : "";
  return `${platform}${role} ${image.replace(/^.*@/, "")}`;
}

/** Breaks a string into lines. It may itself contain line breaks, such as a name in a certificate. */
const broken = (text: string, width: number, hanging: string, margin = ""): readonly string[] =>
  wrapped(margin + printableLine(text), width, hanging);

const indent = "├─ ";

function branch([first = "", ...rest]: readonly string[], isLast: boolean): readonly string[] {
  const [before, below] = isLast ? ["└─ ", "   "] : [indent, "│  "];
  return [before + first, ...rest.map((line) => below + line)];
}

function itemLines(item: AttachedItem, width: number): readonly string[] {
  const { kind, type, place, check, attached = [] } = item;
  const named = type === undefined || kind === "signature" ? kind : `${kind} ${type}`;
  const title = kind === "artifact" ? named : `${named}: ${checkText(check)}`;
  return [
    ...broken(title, width, "  "),
    ...itemFacts(item).flatMap((fact) => broken(fact, width, "    ", "  ")),
    ...broken(place, width, "    ", "  "),
    ...drawn(attached.map((each) => itemLines(each, width - indent.length))),
  ];
}

function checkText(check: CheckReport): string {
  if (check.result === "verified") return "verified";
  const outcome = check.result === "refused" ? "NOT VERIFIED" : "not checked";
  const code = check.code === undefined ? "" : ` (${check.code})`;
  return `${outcome}${code}: ${check.problem}`;
}

/** The facts about each item in a tree, in its order. */
export const treeFacts = ({ attached, images }: ImageTree): readonly (readonly string[])[] => [
  ...attached.map(itemFacts),
  ...images.flatMap(treeFacts),
];

function itemFacts({
  signer,
  signed,
  certificate,
  logEntries,
  timestamps,
}: AttachedItem): readonly string[] {
  return [
    ...(signer === undefined
      ? (certificate?.subjects ?? []).map((each) => `claims to be signed by ${each}`)
      : ["key" in signer ? `by the key with SHA-256 ${signer.key}` : by(signer)]),
    ...(signed === undefined
      ? []
      : [
          `at ${signed.at}, ${signed.by === "log" ? "according to the log" : "according to a timestamp"}`,
        ]),
    ...logEntries.map(logText),
    ...timestamps.map(({ time, check }) => `timestamp ${time ?? ""}: ${checkText(check)}`),
    ...(certificate === undefined ? [] : certificateTexts(certificate)),
  ];
}

const by = ({ subject, issuer }: { readonly subject: string; readonly issuer: string }): string =>
  `by ${subject} (identity confirmed by ${issuer})`;

export function logText({ url, logId, index, proof, hasPromise, check }: LogEntryReport): string {
  const parts = [
    ...(hasPromise ? ["a signed promise"] : []),
    ...(proof === undefined
      ? []
      : [`a proof of inclusion in ${proof.treeSize} entries with the root ${proof.rootHash}`]),
  ];
  const evidence = parts.length === 0 ? "no evidence" : parts.join(" and ");
  return `entry ${index} of the log ${url ?? logId}, with ${evidence}: ${checkText(check)}`;
}

export function certificateTexts(certificate: CertificateReport): readonly string[] {
  const { authority, notBefore, notAfter, serialNumber, facts } = certificate;
  return [
    `certificate ${serialNumber} from ${authority}, valid from ${notBefore} to ${notAfter}`,
    ...facts.map(({ name, value }) => `${name}: ${value}`),
  ];
}
