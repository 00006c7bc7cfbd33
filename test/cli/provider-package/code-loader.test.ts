import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { providerPackage, writePackage } from "../../../src/cli/provider-package";
import { temporaryFolder } from "../temporary-folder";

/** A provider that prints something in a module that is loaded later, and fails if it is told to. */
const main = `
  import("./late.js").then(({ say }) => say());`;
const late = `
  const words = ["ours"];
  export function say() {
    if (process.argv[2] === "fail") throw new Error("as told");
    console.log(words[0]);
  }`;

let folder = "";
let executable = "";

beforeAll(async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/main.ts"), main);
  writeFileSync(join(root, "src/late.ts"), late);
  const made = await providerPackage(esbuild, {
    root,
    entry: "src/main.ts",
    name: "ids",
    version: "1.0.0",
    minimumNode: "20.20",
    defersCertificates: true,
  });
  folder = join(root, "package");
  await writePackage(folder, made);
  executable = join(folder, made.executable);
});

/** The home of one test. */
class Home {
  readonly path = temporaryFolder();
  readonly cache = join(this.path, ".cache/trivet/code");

  env(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return { PATH: process.env["PATH"], HOME: this.path, ...more };
  }

  /** @param node arguments of Node.js, which otherwise the executable of the package starts */
  run(more: NodeJS.ProcessEnv = {}, args: readonly string[] = [], node?: readonly string[]) {
    const [program, ...all] =
      node === undefined
        ? [executable, ...args]
        : [process.execPath, ...node, join(folder, "provider.cjs"), ...args];
    const { stdout, stderr } = spawnSync(program, all, { env: this.env(more), encoding: "utf8" });
    return { stdout, stderr };
  }

  /** The kept file for a file of the package, by what the file contains. */
  kept(content: string): string {
    const names = readdirSync(this.cache).filter((name) =>
      readFileSync(join(this.cache, name)).includes(content),
    );
    expect(names).toHaveLength(1);
    return join(this.cache, names[0] ?? "");
  }
}

const ours = { stdout: "ours\n", stderr: "" };
const foreign = { stdout: "evil\n", stderr: "" };

/** The folders from the home to the cache, by their path in the home. */
const way = ["", ".cache", ".cache/trivet", ".cache/trivet/code"];

/** Runs the provider while a folder belongs to another user. */
function runWithForeign(home: Home, folder: string) {
  if (process.getuid?.() === 0) {
    chownSync(folder, 65_534, 65_534);
    return home.run();
  }
  // Only root can give it away. The process of another user is told that it is so.
  const preload = join(temporaryFolder(), "preload.cjs");
  const body = `const fs = require("node:fs"), { lstatSync: real } = fs;
    const foreign = (path, stats) => path === ${JSON.stringify(folder)} ? { uid: stats.uid + 1 } : {};
    fs.lstatSync = (path) => { const stats = real(path); return Object.assign(stats, foreign(path, stats)); };`;
  writeFileSync(preload, body);
  return home.run({}, [], ["-r", preload]);
}

/**
 * Replaces what the cache has for a file by the code of another source of the same length, which V8 cannot tell
 * from it. A process that uses the cache then runs other code.
 */
function forge(home: Home): string {
  expect(home.run()).toEqual(ours);
  const kept = home.kept('"ours"');
  const content = readFileSync(kept);
  const end = 5 + content.readUInt32LE(1);
  const source = content.subarray(5, end).toString().replace('"ours"', '"evil"');
  const script = `const { Script } = require("node:vm");
    const script = new Script("(function(exports,require,module,__filename,__dirname){" +
      ${JSON.stringify(source)} + "\\n})");
    script.runInThisContext();
    process.stdout.write(script.createCachedData());`;
  const data = execFileSync(process.execPath, ["-e", script]);
  writeFileSync(kept, Buffer.concat([content.subarray(0, end), data]));
  return kept;
}

test("the code of a package is kept for the next process", () => {
  const home = new Home();
  forge(home);
  expect(home.run()).toEqual(foreign);
  expect(statSync(home.cache).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(home.cache)) {
    expect(statSync(join(home.cache, name)).mode & 0o777).toBe(0o600);
    expect(name).toMatch(new RegExp(`^[\\da-f]{16}-${process.version}-${process.arch}$`));
  }
});

test("is kept below XDG_CACHE_HOME", () => {
  const home = new Home();
  const XDG_CACHE_HOME = join(home.path, "other", "caches");
  expect(home.run({ XDG_CACHE_HOME })).toEqual(ours);
  expect(readdirSync(home.path)).toEqual(["other"]);
  expect(readdirSync(join(XDG_CACHE_HOME, "trivet/code"))).toHaveLength(2);
});

test("is kept below XDG_CACHE_HOME outside of the home only if that folder exists", () => {
  const [home, XDG_CACHE_HOME] = [new Home(), join(temporaryFolder(), "caches")];
  expect(home.run({ XDG_CACHE_HOME })).toEqual(ours);
  expect(existsSync(XDG_CACHE_HOME)).toBe(false);
  mkdirSync(XDG_CACHE_HOME);
  expect(home.run({ XDG_CACHE_HOME })).toEqual(ours);
  expect(readdirSync(join(XDG_CACHE_HOME, "trivet/code"))).toHaveLength(2);
  expect(readdirSync(home.path)).toEqual([]);
});

describe("code from the cache is not run", () => {
  test.each<[string, (kept: string, home: Home) => void]>([
    [
      "if others can write to the folder",
      (_, { cache }) => {
        chmodSync(cache, 0o770);
      },
    ],
    [
      "if others can read the folder",
      (_, { cache }) => {
        chmodSync(cache, 0o755);
      },
    ],
    [
      "if others can write to the file",
      (kept) => {
        chmodSync(kept, 0o620);
      },
    ],
    [
      "if the file is a link",
      (kept, { path }) => {
        renameSync(kept, join(path, "elsewhere"));
        symlinkSync(join(path, "elsewhere"), kept);
      },
    ],
    [
      "if it was made from another source",
      (kept) => {
        const content = readFileSync(kept);
        content.write("theirs", content.indexOf("ours"));
        writeFileSync(kept, content);
      },
    ],
  ])("%s", (_, change) => {
    const home = new Home();
    const kept = forge(home);
    expect(home.run()).toEqual(foreign);
    change(kept, home);
    expect(home.run()).toEqual(ours);
  });

  test.each([
    ["in CI, where the folder may have been restored from elsewhere", { CI: "true" }],
    ["if the user wants none", { TRIVET_CODE_CACHE: "0" }],
    ["if the home is not an absolute path", { HOME: "home" }],
  ])("%s", (_, env) => {
    const home = new Home();
    forge(home);
    expect(home.run(env)).toEqual(ours);
    expect(home.run()).toEqual(foreign);
  });

  test("if the file belongs to another user", () => {
    const home = new Home();
    forge(home);
    // Only root could give it away, so the process takes itself for somebody else, who owns only the folders.
    const preload = join(home.path, "preload.cjs");
    const code = `const other = process.getuid() + 1; process.getuid = () => other;
      const fs = require("node:fs"), { lstatSync: real } = fs;
      fs.lstatSync = (...args) => Object.assign(real(...args), { uid: process.getuid() });`;
    writeFileSync(preload, "");
    expect(home.run({}, [], ["-r", preload])).toEqual(foreign);
    writeFileSync(preload, code);
    expect(home.run({}, [], ["-r", preload])).toEqual(ours);
  });

  test.each(way)("if a link leads to the folder %j", (folder) => {
    const home = new Home();
    forge(home);
    const [place, real] = [join(home.path, folder), `${home.path}-real`];
    renameSync(place, real);
    symlinkSync(real, place);
    expect(home.run()).toEqual(ours);
    expect(home.run({ HOME: `${home.path}/` })).toEqual(ours);
    rmSync(real, { recursive: true });
  });

  test.each(way)("if the folder %j belongs to another user", (folder) => {
    const home = new Home();
    forge(home);
    expect(runWithForeign(home, join(home.path, folder))).toEqual(ours);
  });

  test("but in CI too if the user wants it", () => {
    const home = new Home();
    forge(home);
    expect(home.run({ CI: "true", TRIVET_CODE_CACHE: "1" })).toEqual(foreign);
    expect(home.run({ CI: "false" })).toEqual(foreign);
  });
});

describe("a provider starts", () => {
  test("if the folder cannot be made", () => {
    expect(new Home().run({ HOME: "/dev/null/home" })).toEqual(ours);
  });

  test.each<[string, (home: Home) => void]>([
    [
      "if there is a file instead of it",
      ({ path }) => {
        writeFileSync(join(path, ".cache"), "");
      },
    ],
    [
      "if a file in it is empty, cut off or full of something else",
      (home) => {
        for (const content of ["", "x", "x".repeat(100_000)]) {
          expect(home.run()).toEqual(ours);
          writeFileSync(home.kept('"ours"'), content);
          expect(home.run()).toEqual(ours);
        }
      },
    ],
    [
      "if V8 refuses the data",
      (home) => {
        expect(home.run()).toEqual(ours);
        const kept = home.kept('"ours"');
        const content = readFileSync(kept);
        writeFileSync(kept, content.fill(0xff, 5 + content.readUInt32LE(1)));
      },
    ],
  ])("%s", (_, prepare) => {
    const home = new Home();
    prepare(home);
    expect(home.run()).toEqual(ours);
  });

  test("many times at once, and leaves whole files only", async () => {
    const home = new Home();
    const ended = Array.from({ length: 8 }, async () => {
      const child = spawn(executable, { env: home.env(), stdio: "ignore" });
      return (await once(child, "close")) as unknown;
    });
    expect(await Promise.all(ended)).toEqual(ended.map(() => [0, null]));
    expect(readdirSync(home.cache)).toHaveLength(2);
    expect(home.run()).toEqual(ours);
  });

  test("with the same stack trace, from the cache or not", () => {
    const home = new Home();
    const [first, second] = [home.run({}, ["fail"]), home.run({}, ["fail"])];
    const without = home.run({ TRIVET_CODE_CACHE: "0" }, ["fail"]);
    const places = ({ stderr }: { readonly stderr: string }) =>
      stderr.split("\n").filter((line) => line.includes(folder));
    expect(places(first)[1]).toMatch(/calls\.cjs:\d+:\d+/);
    expect(places(second)).toEqual(places(first));
    expect(places(without)[1]).toBe(places(first)[1]);
  });
});

describe("the home of another user stays as it is", () => {
  test("if it has no cache", () => {
    const home = new Home();
    expect(runWithForeign(home, home.path)).toEqual(ours);
    expect(readdirSync(home.path)).toEqual([]);
  });

  test("if it has a folder for caches", () => {
    const home = new Home();
    const caches = join(home.path, ".cache");
    mkdirSync(caches);
    expect(runWithForeign(home, caches)).toEqual(ours);
    expect(readdirSync(caches)).toEqual([]);
  });
});

describe("when something new is kept, files that nothing has changed for a month", () => {
  const past = new Date(Date.now() - 31 * 24 * 3_600_000);
  const id = "0123456789abcdef";
  const ownNames = [
    `${id}-v20.20.0-x64`,
    `${id}-v23.0.0-nightly2024-arm64`,
    `${id}-v22.1.0-x64.77`,
  ];

  /** A file of each name, unchanged for a month. */
  function fill(cache: string, names: readonly string[]): void {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    for (const name of names) {
      writeFileSync(join(cache, name), "");
      utimesSync(join(cache, name), past, past);
    }
  }

  const left = (cache: string) =>
    readdirSync(cache).filter((name) => !name.includes(process.version));

  test("are removed", () => {
    const home = new Home();
    fill(home.cache, ownNames);
    const fresh = `${id}-v20.0.0-x64`;
    writeFileSync(join(home.cache, fresh), "");
    expect(home.run()).toEqual(ours);
    expect(left(home.cache)).toEqual([fresh]);
  });

  test("stay if their names are not of the cache, or if they are no files", () => {
    const home = new Home();
    const foreign = [
      "id_rsa",
      "notes.txt",
      `${id}-v20.20.0`,
      `${id}-v20.20.0-x64.bak`,
      `a${id}-v1.2.3-x64`,
    ];
    fill(home.cache, foreign);
    const link = `${id}-v20.20.1-x64`;
    symlinkSync("notes.txt", join(home.cache, link));
    lutimesSync(join(home.cache, link), past, past);
    expect(home.run()).toEqual(ours);
    expect(left(home.cache).sort()).toEqual([...foreign, link].sort());
  });

  test.each(way)("stay if a link leads to the folder %j", (folder) => {
    const home = new Home();
    const [place, real] = [join(home.path, folder), `${home.path}-real`];
    fill(home.cache, ownNames);
    renameSync(place, real);
    symlinkSync(real, place);
    expect(home.run()).toEqual(ours);
    expect(readdirSync(home.cache).sort()).toEqual([...ownNames].sort());
    rmSync(real, { recursive: true });
  });
});

test("a file is not looked at forever", () => {
  const home = new Home();
  for (let count = 0; count < 18; count++) expect(home.run()).toEqual(ours);
  expect(readFileSync(home.kept('"ours"')).readUInt8(0)).toBe(16);
});
