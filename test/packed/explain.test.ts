import { execFileSync } from "node:child_process";
import { packedProject } from "./packed-project";

test("the installed package explains codes, without cdktf and constructs", () => {
  const main = "node_modules/@trivet/constructs/dist/src/cli/main.js";
  const cwd = packedProject([]);
  const page = execFileSync(process.execPath, [main, "explain", "endpoint-labels"], { cwd });
  expect(page.toString()).toMatch(
    /^endpoint-labels\n\nWarning: [^]*\nWhy\n[^]*\nWrong\n[^]*\nRight\n/,
  );
});
