import { spawnSync } from "node:child_process";
import { join } from "node:path";

const built = join(__dirname, "..", "..", "..", "dist", "src");

/** Runs a program with the compiled sources in a process with little memory. */
function run(megabytes: number, program: string): { status: number | null; output: string } {
  const child = spawnSync(process.execPath, [`--max-old-space-size=${megabytes}`, "-e", program], {
    cwd: built,
    encoding: "utf8",
    env: {},
  });
  return { status: child.status, output: child.stdout };
}

/** Each empty object is 3 bytes of text and 200 of memory: together 4 GB. */
const bomb = `"[" + "{},".repeat(20_000_000) + "{}]"`;

test("20 million empty objects are refused in a process with 768 MB", () => {
  const program = `
    const { parseJson } = require("./core/json/parse-json.js");
    try { parseJson(${bomb}); } catch (error) { console.log(error.code); }`;
  expect(run(768, program)).toEqual({ status: 0, output: "TOO_LONG\n" });
});

test("an envelope and a bundle with as many are refused in a process with 200 MB", () => {
  const program = `
    const { readEnvelope } = require("./core/signing/sigstore/format/statement.js");
    const { readBundle } = require("./core/signing/sigstore/format/bundle.js");
    const bytes = Buffer.from('{"signatures":' + ${bomb} + "}");
    for (const read of [readEnvelope, readBundle]) {
      try { read(bytes); } catch (error) { console.log(error.code); }
    }`;
  expect(run(200, program)).toEqual({ status: 0, output: "TOO_LONG\nTOO_LONG\n" });
});
