// @ts-check
import { loadSources } from "../source.mjs";

const path = "docs/design/corner-cases.md";

/**
 * The page of the corner cases: each scenario in `examples/corner`, with what Terraform does with the kit and with Go.
 *
 * @returns {Promise<Map<string, string>>} path in the checkout to content
 */
export async function cornerCases() {
  /** @type {{ groups: Readonly<Record<string, readonly import("../../examples/corner/scenarios/index.js").Scenario[]>> }} */
  const { groups } = await loadSources(`export { groups } from "./examples/corner/scenarios"`);
  const all = Object.values(groups).flat();
  const run = all.filter(({ needs }) => needs === undefined);
  const steps = run.flatMap((scenario) => scenario.steps ?? []);
  const differing = run.filter(({ why }) => why !== undefined);
  const sections = Object.entries(groups).map(([title, scenarios]) => {
    const rows = scenarios.map((scenario) => `| ${cellsOf(scenario).join(" | ")} |`);
    return `## ${title}\n\n| Scenario | With the kit | With Go's framework |\n| --- | --- | --- |\n${rows.join("\n")}`;
  });
  const text = `<!-- Generated from examples/corner: npm run gen -->

# Corner cases of Go's framework

HashiCorp has a provider of corner cases, with which it tests its framework. \`examples/corner\` is the same provider, written anew with the kit, with the same scenarios in our words: ${all.length}. Terraform 1.11 runs ${run.length} of them, with
${steps.length} configurations one after another (\`test/e2e/corner\`). Each does what it should. In ${differing.length} scenarios, Go's provider
does something else, which is said. The others need what Terraform 1.11 does not have.

"Applied" also means that the second plan is empty, and that the state has what is expected. With the executable of a provider in
Go in \`TRIVET_CORNER_PROVIDER\`, the same scenarios run with it. It has to serve \`framework6provider.New()\` of
terraform-provider-corner, and to know \`-debug\`, as all providers in Go do.

${sections.join("\n\n")}
`;
  return new Map([[path, text]]);
}

/**
 * @param {import("../../examples/corner/scenarios/index.js").Scenario} scenario
 * @returns {readonly [string, string, string]}
 */
function cellsOf({ name, steps, needs, instead, notInGo, why }) {
  const title = capital(name);
  if (needs !== undefined) return [title, `not run: needs ${needs.what}. ${instead}.`, "not run"];
  const ours = steps?.map(wordFor).join(", ") ?? `${instead}.`;
  const theirs = steps
    ?.map((step) =>
      wordFor(step.go === undefined ? step : { ...step.go, late: step.refused === undefined }),
    )
    .join(", ");
  if (notInGo !== undefined) return [title, ours, `not run: ${notInGo}.`];
  return [title, ours, why === undefined ? "the same" : `${theirs}. ${why}`];
}

/**
 * What Terraform does with a step, in a word.
 *
 * @param {{ refused?: string | undefined, action?: string | undefined, late?: boolean }} step
 */
function wordFor({ refused, action = "create", late = false }) {
  if (refused !== undefined) return late ? "fails" : "refused";
  return { "no-op": "no change", update: "changed", replace: "replaced" }[action] ?? "applied";
}

/** @param {string} text */
const capital = (text) =>
  /^[a-z_\d]+\(\)/.test(text)
    ? `\`${text.replace("()", "()`")}`
    : text[0]?.toUpperCase() + text.slice(1);
