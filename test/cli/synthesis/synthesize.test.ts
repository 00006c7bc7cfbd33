import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TrivetFixture } from "../command-fixture";

/** Writes what the library would, with parts of it replaced. */
const app = (script: string): string => `node -e '${script}'`;

const writeManifest = (stacks: object): string =>
  app(
    `const fs = require("fs"); fs.mkdirSync(process.env.CDKTF_OUTDIR, { recursive: true });
     fs.writeFileSync(process.env.CDKTF_OUTDIR + "/manifest.json",
       JSON.stringify({ stacks: ${JSON.stringify(stacks)} }))`,
  );

describe("the synthesis of `trivet plan`", () => {
  const trivet = new TrivetFixture();
  const plan = (settings: unknown, env: NodeJS.ProcessEnv = {}) => {
    const text = typeof settings === "string" ? settings : JSON.stringify(settings);
    writeFileSync(join(trivet.root, "cdktf.json"), text);
    return trivet.run(["plan", "--dir", "mirror"], env);
  };

  it("needs a project", async () => {
    const { code, stderr } = await trivet.run(["plan"]);
    expect(code).toBe(1);
    expect(stderr).toContain("There is no cdktf.json in");
    // That there is no terminal to approve changes on is not the first problem.
    expect(await trivet.run(["deploy"])).toMatchObject({ code: 1, stderr });
  });

  it.each([
    ["[]", "is not a JSON object"],
    ["{\n", "cdktf.json:2:1: not JSON: unexpected end"],
    [{}, "does not say how to synthesize the stacks"],
    [{ app: "echo of the app; exit 7" }, "ended with 7"],
    [{ app: "true" }, "ended without writing"],
    [{ app: writeManifest({}) }, "The app has no stacks."],
    [
      { app: writeManifest({ a: { name: "a", workingDirectory: "../../etc" } }) },
      "contains a path outside of that folder",
    ],
    [
      { app: writeManifest({ a: { name: "a\u009b2J\nb", workingDirectory: "a" } }) },
      'has a stack whose name contains invisible characters: "a\\u009b2J b".',
    ],
  ])("explains what is wrong with %j", async (settings, message) => {
    const { code, stderr } = await plan(settings);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("gives the app what cdktf gives it", async () => {
    const seen = `const { env } = process;
      console.log(JSON.stringify([env.CDKTF_OUTDIR, env.CDKTF_CONTEXT_JSON, env.NODE_OPTIONS,
        env.BUN_OPTIONS, env.CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS, env.TF_VAR_secret]))`;
    const module = { name: "m", source: "./m" };
    const settings = {
      app: app(seen),
      output: "out",
      context: { a: 1 },
      terraformModules: ["./local", "registry/x/y", module],
    };
    const { stdout, stderr } = await plan(settings, {
      TF_VAR_secret: "x",
      BUN_OPTIONS: "--smol",
    });
    expect(stdout).toBe("");
    expect(JSON.parse(stderr.split("\n").find((line) => line.startsWith("[")) ?? "")).toEqual([
      "out",
      JSON.stringify({ a: 1, cdktfRelativeModules: ["./local", module] }),
      expect.stringMatching(/^--max-old-space-size=4096 --require ".*preload\.js"$/),
      expect.stringMatching(/^--smol "--preload=.*preload\.js"$/),
      "true",
      null,
    ]);
  });

  it("reports remarks of constructs, and stops at errors", async () => {
    const annotations = [
      { level: "@cdktf/warn", constructPath: "a/x", message: "is odd" },
      { level: "@cdktf/error", constructPath: "a/y", message: "is wrong" },
    ];
    const stack = { name: "a", workingDirectory: "stacks/a", synthesizedStackPath: "a.tf.json" };
    const { code, stderr } = await plan({ app: writeManifest({ a: { ...stack, annotations } }) });
    expect(code).toBe(1);
    expect(stderr).toContain("Warning at a/x: is odd");
    expect(stderr).toContain("Constructs report an error: a/y: is wrong");
  });
});
