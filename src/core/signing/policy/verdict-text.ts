import { printableLine } from "../../redaction/printable";
import type {
  AuthorityReport,
  ImageVerdict,
  PolicyReport,
  RequirementReport,
} from "./image-verdict";

/** One line about a verdict, and the lines below it. Everything that shows a verdict shows these. */
export interface VerdictLine {
  readonly words: readonly Word[];
  readonly below: readonly VerdictLine[];
}

/** Words of this program, a code, or a value, which others may have chosen. */
type Word =
  | string
  | { readonly code: string }
  | {
      readonly value: string;
      /** Set if it is the label of something attached to the image. The signer is a subject, or the ID of a key. */
      readonly attached?: { readonly signer?: string | undefined } | undefined;
    };

// More are in the data.
const maxListed = 8;
const maxImages = 16;

const outcomes = {
  ACCEPTED: "is accepted",
  REFUSED: "is refused",
  NOT_COVERED: "is refused, because no policy applies to it",
  NOT_KNOWN: "is not accepted, because not everything could be read",
} as const;

/**
 * Writes a verdict for people, as nested lists in Markdown that are readable without it, too. What others chose is in code
 * spans, so that it can add neither markup nor mentions to a comment.
 */
export function verdictText(verdict: Omit<ImageVerdict, "text">): string {
  const { images = [] } = verdict;
  const { words, below } = verdictLine(verdict);
  // What explains a refusal must not be cut off.
  const inOrder = images.toSorted((a, b) => Number(a.accepted) - Number(b.accepted));
  const lines = [
    markdown(words),
    "",
    ...below.flatMap((each) => listItem(each, "")),
    ...inOrder.slice(0, maxImages).flatMap(({ text }) => ["", text.trimEnd()]),
    ...(images.length > maxImages ? ["", `${images.length - maxImages} more images.`] : []),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

/** Describes a verdict and its reasons. */
export function verdictLine(verdict: Omit<ImageVerdict, "text">): VerdictLine {
  const { image, platform, code, policies, notes, images = [] } = verdict;
  const accepted = images.filter((each) => each.accepted).length;
  const name =
    platform === undefined ? say`${value(image)}` : say`${value(image)} for ${value(platform)}`;
  return line(say`${name} ${outcomes[code]} ${{ code }}.`, [
    ...policies.map(policyLine),
    ...notes.map((note) => line(say`Note: ${value(note)}`)),
    ...(images.length > 0
      ? [line([`Images in it: ${accepted} of ${images.length} accepted`])]
      : []),
  ]);
}

function policyLine(policy: PolicyReport): VerdictLine {
  const { name, mode, accepted, code, problem, authorities } = policy;
  const otherwise = `does not accept it${mode === "warn" ? ", but only warns" : ""}`;
  return line(
    say`Policy ${value(name)} ${accepted ? "accepts it" : otherwise} ${{ code }}${reason(problem)}`,
    authorities.map(authorityLine),
  );
}

function authorityLine(authority: AuthorityReport): VerdictLine {
  const { name, accepted, code, problem, requirements } = authority;
  return line(
    say`Authority ${value(name)} ${accepted ? "accepts it" : "does not accept it"} ${{ code }}${reason(problem)}`,
    requirements.map(requirementLine),
  );
}

function requirementLine(requirement: RequirementReport): VerdictLine {
  const { required, counted, countedTotal, rejected, rejectedTotal } = requirement;
  const nothing = countedTotal + rejectedTotal === 0 ? ": found nothing" : "";
  return line(say`Needs ${value(required)}${nothing}`, [
    ...counted
      .slice(0, maxListed)
      .map(({ candidate, subject, issuer, key, log, logIndex, time }) =>
        line([
          ...say`counted: ${{ value: candidate, attached: { signer: subject ?? key } }}, by `,
          ...(key === undefined
            ? say`${value(subject ?? "")}, issuer ${value(issuer ?? "")}`
            : say`the key with SHA-256 ${value(key)}`),
          ...(log === undefined
            ? []
            : say`, entry ${String(logIndex ?? "?")} of the log ${value(log)}`),
          ...(time === undefined ? [] : [`, at ${time}`]),
        ]),
      ),
    ...more(countedTotal, "that counted"),
    ...rejected
      .slice(0, maxListed)
      .map(({ candidate, code, problem }) =>
        line(
          say`did not count ${{ code }}: ${{ value: candidate, attached: {} }}${reason(problem)}`,
        ),
      ),
    ...more(rejectedTotal, "that did not count"),
  ]);
}

const more = (total: number, which: string): readonly VerdictLine[] =>
  total > maxListed ? [line([`${total - maxListed} more ${which}`])] : [];

const reason = (problem: string | undefined): readonly Word[] =>
  problem === undefined ? [] : say`: ${value(problem)}`;

const value = (text: string): Word => ({ value: text });

const line = (words: readonly Word[], below: readonly VerdictLine[] = []): VerdictLine => ({
  words,
  below,
});

/** Writes words around values and other words. */
const say = (
  texts: TemplateStringsArray,
  ...values: readonly (Word | readonly Word[])[]
): readonly Word[] => texts.flatMap((text, at) => [text, values[at] ?? []].flat());

const listItem = ({ words, below }: VerdictLine, indent: string): readonly string[] => [
  `${indent}- ${markdown(words)}`,
  ...below.flatMap((each) => listItem(each, `${indent}  `)),
];

const markdown = (words: readonly Word[]): string =>
  words
    .map((word) => {
      if (typeof word === "string") return word;
      if ("code" in word) return `(${word.code})`;
      // On one line. A backtick would end the code span.
      return `\`${printableLine(word.value).replaceAll("`", "'")}\``;
    })
    .join("");
