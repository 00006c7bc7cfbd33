import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isOutput } from "./output";
import { fencesOf, root } from "./page";

/** Outputs that no test compares with a run, by page and first line, with the reason. */
const notCompared: Readonly<Record<string, string>> = {
  "docs/guide/adding-to-a-project.md: error TS2345: … Types have separate declarations of a private property 'host'.":
    "the compiler prints it, for a second copy of a package",
  "docs/guide/coming-from-other-providers.md: # google_cloud_ids_endpoint.edge has moved to ids_endpoint.edge":
    "it needs Google's provider from a registry",
  "docs/guide/from-cosign.md: = signing_attest.app (attest_app) at main-stack.ts:23:23: moved from cosign_attest.app":
    "it needs cosign's provider from a registry",
  "docs/guide/from-google.md: = ids_endpoint.edge at main-stack.ts:21:18: moved from google_cloud_ids_endpoint.edge":
    "it needs Google's provider from a registry",
  "docs/guide/policies.md: its policy is not satisfied: the input has no predicate.critical, which the policy sets in line 1":
    "policy-engines.test.ts compares its parts, with each cue that is on PATH",
  "docs/guide/troubleshooting.md: ~/.terraform.d/plugins/trivet.local/trivet/ids/VERSION/OS_ARCH/terraform-provider-ids_vVERSION":
    "it is a path",
  "docs/guide/verify-elsewhere.md: Error: trusted root is required when using new bundle format":
    "cosign prints it, for bundles and without a trusted root",
};

const read = (path: string): string => readFileSync(join(root, path), "utf8");

const markdownIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);

/** What pages show, without the messages below refused and warned snippets, which `snippets.test.ts` compares. */
const outputs = ["README.md", ...markdownIn("docs/guide"), ...markdownIn("templates")].flatMap(
  (path) => {
    const fences = fencesOf(read(path));
    return fences.flatMap((fence, at) => {
      const { keywords = [] } = fences[at - 1] ?? {};
      const isMessage = keywords.includes("refused") || keywords.includes("warned");
      return isOutput(fence) && !isMessage ? [{ path, fence }] : [];
    });
  },
);

/** Calls of `shown` in the tests, which name the page and the fence. */
const compared = new Set(
  readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .flatMap((name) => [
      ...read(join("test", name)).matchAll(/\bshown\(\s*"([^"]+)",\s*"([^"]+)",?\s*\)/g),
    ])
    .map(([, path = "", name = ""]) => `${path}: ${name}`),
);

test("what a page shows as an output is compared with a run, or there is a reason why not", () => {
  expect(outputs.length).toBeGreaterThan(40);
  const others = outputs.flatMap(({ path, fence: { keywords, text } }) => {
    const [first = ""] = text.trim().split("\n");
    return compared.has(`${path}: ${keywords.join(" ")}`) ? [] : [`${path}: ${first}`];
  });
  // Also: no reason outlives its output.
  expect(others.sort()).toEqual(Object.keys(notCompared).sort());
});
