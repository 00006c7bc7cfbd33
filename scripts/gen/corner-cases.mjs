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
  const possible = all.filter(({ needs }) => needs === undefined);
  const run = possible.filter((scenario) => scenario.steps !== undefined);
  const steps = run.flatMap((scenario) => scenario.steps ?? []);
  const differing = run.filter(({ why }) => why !== undefined);
  const byHand = all.filter((scenario) => scenario.byHand === true);
  const sections = Object.entries(groups).map(([title, scenarios]) => {
    const rows = scenarios.map((scenario) => `| ${cellsOf(scenario).join(" | ")} |`);
    return `## ${title}\n\n| Scenario | With the kit | With Go's framework |\n| --- | --- | --- |\n${rows.join("\n")}`;
  });
  const text = `<!-- Generated from examples/corner: npm run gen -->

# Corner cases of Go's framework

HashiCorp has a provider of corner cases, with which it tests its framework. \`examples/corner\` is the same provider, written
anew with the kit, with its ${all.length} scenarios in our words:

- ${run.length} run with Terraform 1.11, with ${steps.length} configurations one after another (\`test/e2e/corner\`). Each does what it
  should. In ${differing.length} of them, Go's provider does something else, and the table says why.
- ${possible.length - run.length} cannot be shown by configurations. A test with Terraform 1.11 shows each of them.
- ${byHand.length} need a newer Terraform. Our own client of the protocol shows them (\`test/e2e/corner-client\`). They were also run by hand
  with a build of Terraform 1.17.0-dev, with the kit and with Go.
- ${all.length - possible.length - byHand.length} are left: for an older Terraform, or for state stores, which the kit does not have.

"Applied" also means that the second plan is empty, and that the state has what is expected. The same scenarios run with
HashiCorp's providers, if these variables name their executables: \`TRIVET_CORNER_PROVIDER\` one that serves
\`framework6provider.New()\` of terraform-provider-corner, and \`TRIVET_CORNER_SDK_PROVIDER\` that of its \`main.go\`. Both have to
know \`-debug\`, as all providers in Go do.

${sections.join("\n\n")}
`;
  return new Map([[path, text]]);
}

/**
 * @param {import("../../examples/corner/scenarios/index.js").Scenario} scenario
 * @returns {readonly [string, string, string]}
 */
function cellsOf({ name, steps, needs, instead, byHand = false, sdk = false, notInGo, why }) {
  const title = capital(name);
  if (needs !== undefined) {
    const ours = `${byHand ? "as it should, by hand" : "not run"}: needs ${needs.what}. ${instead}.`;
    const same = byHand ? (why ?? "the same, by hand") : "not run";
    return [title, ours, notInGo === undefined ? same : `not run: ${notInGo}.`];
  }
  const ours = steps?.map(wordFor).join(", ") ?? `${instead}.`;
  const theirs = steps
    ?.map((step) =>
      wordFor(step.go === undefined ? step : { ...step.go, late: step.refused === undefined }),
    )
    .join(", ");
  if (notInGo !== undefined) return [title, ours, `not run: ${notInGo}.`];
  const same = sdk ? "the same, with SDKv2" : "the same";
  return [title, ours, why === undefined ? same : `${theirs}. ${why}`];
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
