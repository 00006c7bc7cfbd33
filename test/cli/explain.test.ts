import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildWhenStale, root } from "../e2e/support/build";

const main = join(root, "dist", "src", "cli", "main.js");

function trivet(...args: readonly string[]) {
  const env = { PATH: process.env["PATH"] };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

beforeAll(buildWhenStale);

test("prints the page of a code as plain text, in at most 80 columns except for code", () => {
  const { status, stdout, stderr } = trivet("explain", "INVALID_ARGUMENT");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^INVALID_ARGUMENT\n\nError: a value breaks a rule of its attribute\.\n\n/,
  );
  expect(stdout).toContain('\n    new ids.Endpoint(this, "edge", {\n      endpointId: "Edge",\n');
  expect(stdout).toContain(
    "\n  ids_endpoint.endpointId\n    - must start with a lowercase letter\n    - must consist of",
  );
  expect(stdout).not.toMatch(/<!--|^#|```|\*\*|\]\(|&lt;|---/m);
  const text = stdout.split("\n").filter((line) => !line.startsWith("    "));
  expect(Math.max(...text.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(stdout.endsWith("\n")).toBe(true);
});

test("takes a code as it was copied from a message, in any case", () => {
  const page = trivet("explain", "endpoint-without-network").stdout;
  expect(page).toContain("Warning: `network` should be set");
  expect(trivet("explain", "[Endpoint-Without-Network]").stdout).toBe(page);
});

test("lists all codes, errors first", () => {
  const { status, stdout } = trivet("explain");
  const listed = [...stdout.matchAll(/^ {2}(\S+) {2,}\S/gm)].map(([, code]) => code);
  const pages = readdirSync(join(root, "docs/reference/codes")).map((name) => name.slice(0, -3));
  expect(status).toBe(0);
  const [own, verdicts] = [listed.slice(0, pages.length - 1), listed.slice(pages.length - 1)];
  expect([...own, "index"].sort()).toEqual(pages.sort());
  expect(verdicts).toEqual(expect.arrayContaining(["ACCEPTED", "NOT_COVERED", "IDENTITY"]));
  expect(stdout).toMatch(/^Errors\n {2}CONFLICT [^]*\n\nWarnings\n {2}agent-claim-replaces /);
});

test("explains codes of verdicts, also one that is a code of errors, too", () => {
  const { status, stdout } = trivet("explain", "IDENTITY");
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^IDENTITY\n\nIn a verdict about an image, of a candidate: somebody else signed\.\n/,
  );
  const [, page = ""] = /node_modules\/@trivet\/constructs\/(\S+)/.exec(stdout) ?? [];
  expect(readFileSync(join(root, page), "utf8")).toContain("`IDENTITY`");
  expect(trivet("explain", "MISSING").stdout).toMatch(
    /a required value is absent[^]*\nIn a verdict about an image, of an authority: no signature/,
  );
  expect(trivet("explain", "NO_TRUST").stdout.match(/In a verdict/g)).toHaveLength(2);
});

test("says of each code of verdicts what to do", () => {
  const read = (page: string) => readFileSync(join(root, "docs", "guide", page), "utf8");
  const codesIn = (text: string, form: RegExp) => [
    ...new Set([...text.matchAll(form)].map(([, code = ""]) => code)),
  ];
  const codes = codesIn(read("verdicts.md"), /^\| \w+ +\| `([A-Z_]+)` +\|/gm);
  const sections = codesIn(read("verdict-codes.md"), /^## ([A-Z_]+)\n\n\S/gm);
  expect(sections.sort()).toEqual(codes.sort());
  expect(codes.length).toBeGreaterThan(15);
  expect(trivet("explain", "TIME").stdout).toMatch(
    /\n\nThe time of the signature is not proven, [^]*Sign with/,
  );
});

test("suggests the nearest code", () => {
  expect(trivet("explain", "endpoint-without-netwrk")).toEqual({
    status: 2,
    stdout: "",
    stderr:
      'trivet: There is no code "endpoint-without-netwrk"; did you mean "endpoint-without-network"?\n' +
      "`trivet explain` without a code lists all codes.\n",
  });
  expect(trivet("explain", "../../guide/signing").stderr).toMatch(/^trivet: There is no code "/);
  expect(trivet("explain", "index").status).toBe(2);
});

test("prints JSON", () => {
  const { markdown, ...page } = JSON.parse(trivet("explain", "MISSING", "--json").stdout) as {
    readonly markdown: string;
  };
  const missing = { code: "MISSING", severity: "error", meaning: "a required value is absent" };
  const meaning = "no signature or attestation meets one of its requirements";
  const verdicts = [{ code: "MISSING", of: "authority", meaning }];
  expect(page).toEqual({ ...missing, verdicts });
  expect(markdown).toContain("\n## Why\n");
  const { codes } = JSON.parse(trivet("explain", "--json").stdout) as { codes: readonly unknown[] };
  expect(codes).toContainEqual(missing);
});
