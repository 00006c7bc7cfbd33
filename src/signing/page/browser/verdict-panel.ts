import { element } from "../../../local-service/page/browser/element.js";
import { notice, notices } from "../../../local-service/page/browser/notices.js";
import type {
  AuthorityReport,
  ImageVerdict,
  PolicyReport,
  RequirementReport,
} from "../../verify/verdict/image-verdict";
import { moment, shortened } from "./evidence.js";
import { colouredBadge } from "./outcome.js";

const outcomes = {
  ACCEPTED: ["good", "accepted"],
  REFUSED: ["bad", "refused"],
  NOT_COVERED: ["bad", "no policy applies"],
  NOT_KNOWN: ["bad", "not known"],
} as const;

/** Shows what the policies say, and because of what. */
export function verdictCard(
  verdict: ImageVerdict | undefined,
  problem: string | undefined,
): HTMLElement {
  const card = (...content: Parameters<typeof element>[2][]): HTMLElement =>
    element("section", { class: "card verdict" }, element("h3", {}, "Policies"), ...content);
  if (problem !== undefined) return card(notices(notice("error", problem)));
  if (verdict === undefined) {
    const how = "Start the command with --policy FILE to see what a policy says about the image.";
    return card(element("p", { class: "help" }, how));
  }
  const [colour, word] = outcomes[verdict.code];
  return card(
    element("p", {}, "The image is ", colouredBadge(colour, word)),
    element("ul", { class: "reasons" }, verdict.policies.map(policyItem)),
    verdict.notes.length === 0
      ? undefined
      : notices(verdict.notes.map((note) => notice("warning", note))),
  );
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

function policyItem({ name, mode, accepted, code, problem, authorities }: PolicyReport) {
  return element(
    "li",
    {},
    "Policy ",
    element("strong", {}, name),
    " ",
    outcomeBadge(accepted, code, mode === "warn" ? "only warns" : "does not accept it"),
    problem === undefined ? undefined : ` ${problem}`,
    element("ul", {}, authorities.map(authorityItem)),
  );
}

function authorityItem({ name, accepted, code, problem, requirements }: AuthorityReport) {
  return element(
    "li",
    {},
    "Authority ",
    element("strong", {}, name),
    " ",
    outcomeBadge(accepted, code, "does not accept it"),
    problem === undefined ? undefined : ` ${problem}`,
    requirements.length === 0 ? undefined : element("ul", {}, requirements.map(requirementItem)),
  );
}

const outcomeBadge = (accepted: boolean, code: string, otherwise: string): HTMLElement =>
  accepted ? colouredBadge("good", "accepts it") : colouredBadge("bad", `${otherwise} (${code})`);

/** Creates a link to what is attached to the image. What is in another image of an index has none. */
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

function requirementItem(requirement: RequirementReport): HTMLElement {
  const { required, counted, countedTotal, rejected, rejectedTotal } = requirement;
  const more = countedTotal + rejectedTotal - counted.length - rejected.length;
  return element(
    "li",
    {},
    `Needs ${required}`,
    element(
      "ul",
      {},
      counted.map(({ candidate, subject, key, time }) =>
        element(
          "li",
          {},
          colouredBadge("good", "counted"),
          " ",
          placeLink(candidate, subject ?? key),
          ` by ${subject ?? `the key ${shortened(key ?? "")}`}`,
          time === undefined ? undefined : `, ${moment(time)}`,
        ),
      ),
      rejected.map(({ candidate, code, problem }) =>
        element(
          "li",
          {},
          colouredBadge("warn", `did not count (${code})`),
          " ",
          placeLink(candidate),
          ` ${problem}`,
        ),
      ),
      countedTotal + rejectedTotal === 0 ? element("li", {}, "Nothing was found.") : undefined,
      more > 0 ? element("li", {}, `${more} more`) : undefined,
    ),
  );
}
