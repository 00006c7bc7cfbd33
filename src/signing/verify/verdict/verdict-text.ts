import { printableLine } from "../../../redaction/printable";
import type {
  AuthorityReport,
  CountedReport,
  ImageVerdict,
  PolicyReport,
  RequirementReport,
} from "./image-verdict";

// More are in the data.
const maxListed = 8;
const maxImages = 16;

/**
 * Writes a verdict for people, as nested lists in Markdown that are readable without it, too. What others chose is in code
 * spans, so that it can add neither markup nor mentions to a comment.
 */
export function verdictText(verdict: Omit<ImageVerdict, "text">): string {
  const { image, platform, code, policies, notes, images = [] } = verdict;
  const outcome = {
    ACCEPTED: "is accepted",
    REFUSED: "is refused",
    NOT_COVERED: "is refused, because no policy applies to it",
    NOT_KNOWN: "is not accepted, because not everything could be read",
  }[code];
  const name = platform === undefined ? span(image) : `${span(image)} for ${span(platform)}`;
  // What explains a refusal must not be cut off.
  const inOrder = images.toSorted((a, b) => Number(a.accepted) - Number(b.accepted));
  const lines = [
    `${name} ${outcome} (${code}).`,
    "",
    ...policies.flatMap(policyLines),
    ...notes.map((note) => `- Note: ${span(note)}`),
    ...(images.length > 0 ? [`- Images in it: ${countOf(images)}`] : []),
    ...inOrder.slice(0, maxImages).flatMap(({ text }) => ["", text.trimEnd()]),
    ...(images.length > maxImages ? ["", `${images.length - maxImages} more images.`] : []),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function countOf(images: readonly ImageVerdict[]): string {
  const accepted = images.filter((each) => each.accepted).length;
  return `${accepted} accepted, ${images.length - accepted} refused`;
}

function policyLines({ name, mode, accepted, code, problem, authorities }: PolicyReport): string[] {
  const only = mode === "warn" ? ", but only warns" : "";
  const reason = problem === undefined ? "" : `: ${span(problem)}`;
  return [
    `- Policy ${span(name)} ${accepted ? "accepts it" : `does not accept it${only}`} (${code})${reason}`,
    ...authorities.flatMap(authorityLines),
  ];
}

function authorityLines({
  name,
  accepted,
  code,
  problem,
  requirements,
}: AuthorityReport): string[] {
  const reason = problem === undefined ? "" : `: ${span(problem)}`;
  return [
    `  - Authority ${span(name)} ${accepted ? "accepts it" : "does not accept it"} (${code})${reason}`,
    ...requirements.flatMap(requirementLines),
  ];
}

function requirementLines(requirement: RequirementReport): string[] {
  const { required, counted, countedTotal, rejected, rejectedTotal } = requirement;
  const lines = [
    ...counted.slice(0, maxListed).map((each) => `counted: ${countedLine(each)}`),
    ...more(countedTotal, "that counted"),
    ...rejected
      .slice(0, maxListed)
      .map(
        ({ candidate, code, problem }) =>
          `did not count (${code}): ${span(candidate)}: ${span(problem)}`,
      ),
    ...more(rejectedTotal, "that did not count"),
  ];
  const nothing = countedTotal + rejectedTotal === 0 ? ": found nothing" : "";
  return [`    - Needs ${span(required)}${nothing}`, ...lines.map((line) => `      - ${line}`)];
}

const more = (total: number, which: string): string[] =>
  total > maxListed ? [`${total - maxListed} more ${which}`] : [];

function countedLine(counted: CountedReport): string {
  const { candidate, subject, issuer, key, log, logIndex, time } = counted;
  const signer =
    key === undefined
      ? `by ${span(subject ?? "")}, issuer ${span(issuer ?? "")}`
      : `by the key with SHA-256 ${span(key)}`;
  return [
    `${span(candidate)}, ${signer}`,
    ...(log === undefined ? [] : [`entry ${logIndex ?? "?"} of the log ${span(log)}`]),
    ...(time === undefined ? [] : [`at ${time}`]),
  ].join(", ");
}

/** A code span on one line. A backtick would end it. */
function span(text: string): string {
  return `\`${printableLine(text).replaceAll("`", "'")}\``;
}
