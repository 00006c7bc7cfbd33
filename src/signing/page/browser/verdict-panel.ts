import { element } from "../../../local-service/page/browser/element.js";
import { notice, notices } from "../../../local-service/page/browser/notices.js";
import type {
  AuthorityReport,
  ImageVerdict,
  PolicyReport,
  RequirementReport,
} from "../../verify/verdict/image-verdict";
import { colouredBadge } from "./outcome.js";

const outcomes = {
  ACCEPTED: ["good", "accepted"],
  REFUSED: ["bad", "refused"],
  NOT_COVERED: ["bad", "no policy applies"],
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

/** The names of the policies for which each candidate counts. */
export function countedBy(verdict: ImageVerdict): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { name, authorities } of verdict.policies) {
    for (const { counted } of authorities.flatMap(({ requirements }) => requirements)) {
      for (const { candidate } of counted) {
        found.set(candidate, (found.get(candidate) ?? new Set()).add(name));
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
          ` ${candidate}, by ${subject ?? `the key ${key ?? ""}`}${time === undefined ? "" : `, ${time}`}`,
        ),
      ),
      rejected.map(({ candidate, code, problem }) =>
        element(
          "li",
          {},
          colouredBadge("warn", `did not count (${code})`),
          ` ${candidate}: ${problem}`,
        ),
      ),
      countedTotal + rejectedTotal === 0 ? element("li", {}, "Nothing was found.") : undefined,
      more > 0 ? element("li", {}, `${more} more`) : undefined,
    ),
  );
}
