import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as esbuild from "esbuild";
import { providerPackage } from "../../../../src/cli/provider-package";
import {
  licenceNotices,
  noticesFile,
  noticesFor,
  uniteNotices,
} from "../../../../src/cli/provider-package/licences/notices";
import { thirdParties } from "../../../../src/cli/provider-package/licences/third-parties";
import { temporaryFolder } from "../../temporary-folder";

const manifest = (name: string, version: string, more: object = { license: "MIT" }): string =>
  JSON.stringify({ name, version, ...more });

function project(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** The files of a package of others, and `LICENSE` with its name. */
const installed = (
  folder: string,
  files: Readonly<Record<string, string>>,
  licence = "MIT",
): Record<string, string> => {
  const [name = "", version = "1.0.0"] = folder
    .slice(folder.lastIndexOf("node_modules/") + 13)
    .split("#");
  const below = folder.split("#")[0] ?? "";
  return Object.fromEntries(
    Object.entries({
      "package.json": manifest(name, version, { license: licence }),
      LICENSE: `Licence of ${name} ${version}.`,
      ...files,
    }).map(([path, text]) => [join(below, path), text]),
  );
};

async function pack(files: Readonly<Record<string, string>>, permitted: readonly string[] = []) {
  const made = await providerPackage(esbuild, {
    root: project(files),
    entry: "main.ts",
    name: "notes",
    version: "1.0.0",
    minimumNode: "20.20",
    defersCertificates: false,
    permitted,
  });
  const text = made.files.get(noticesFile);
  return { made, text: typeof text === "string" ? text : "" };
}

/** The first lines, which list the packages. */
const listed = (text: string): string[] => text.split("\n").filter((line) => line.startsWith("- "));

describe("the licences in the package of a provider", () => {
  it("are those of the packages whose code is in it", async () => {
    const { text, made } = await pack({
      "main.ts": `
        import { used } from "used";
        import { unused } from "unused";
        import type { only } from "types";
        import own from "./own";
        import("late").then((late) => console.log(used, own, late));`,
      "own.ts": "export default 1;",
      LICENSE: "The licence of the provider.",
      ...installed("node_modules/used", {
        "index.js":
          'import inner from "inner"; import "@scope/deep/lib/one.js"; export const used = inner;',
        NOTICE: "Used Inc. has made this.",
      }),
      ...installed(
        "node_modules/used/node_modules/inner#2.0.0",
        { "index.js": "export default 'inner';" },
        "ISC",
      ),
      ...installed(
        "node_modules/@scope/deep",
        { "lib/one.js": "console.log('deep');" },
        "Apache-2.0",
      ),
      ...installed("node_modules/unused", {
        "package.json": manifest("unused", "1.0.0", { license: "MIT", sideEffects: false }),
        "index.js": "export const unused = 1;",
      }),
      ...installed("node_modules/late", { "index.js": "exports.late = 1;" }),
      ...installed("node_modules/other", { "index.js": "exports.late = 1;" }),
    });
    expect(listed(text)).toEqual([
      "- @scope/deep@1.0.0: Apache-2.0",
      "- inner@2.0.0: ISC",
      "- late@1.0.0: MIT",
      "- used@1.0.0: MIT",
    ]);
    for (const part of ["used 1.0.0", "inner 2.0.0", "@scope/deep 1.0.0", "late 1.0.0"]) {
      expect(text).toContain(`Licence of ${part}.`);
    }
    expect(text).toContain("used@1.0.0: NOTICE\n");
    expect(text).toContain("Used Inc. has made this.");
    expect(text).not.toMatch(/unused|types|other|The licence of the provider/);
    expect(made.notices.packages.map(({ name }) => name)).toEqual([
      "@scope/deep",
      "inner",
      "late",
      "used",
    ]);
  });

  it("include the comments in the code, each once", async () => {
    const { text } = await pack({
      "main.ts":
        'import one from "one"; import("one/two.js").then((two) => console.log(one, two));',
      ...installed("node_modules/one", {
        "index.js": "/*! Copyright (c) Ada,\n\n * who permits */\nexport default 1;",
        "two.js":
          "/*! Copyright (c) Ada,\n\n * who permits */\n/** @license of Bob */\n//! by Cid\nexport default 2; // usual",
      }),
    });
    const comments = text.slice(text.indexOf("Comments with licences"));
    expect(comments.match(/Copyright \(c\) Ada,\n\n \* who permits/g)).toHaveLength(1);
    expect(comments.match(/of Bob/g)).toHaveLength(1);
    expect(comments).toContain("//! by Cid");
    expect(text).not.toContain("usual");
    expect(text).not.toContain("one/two.js");
  });

  it("are said to be none", async () => {
    const { text } = await pack({ "main.ts": "console.log(1);" });
    expect(text).toBe("This package contains no code of other packages.\n");
  });

  it("change the version of a development build", async () => {
    const build = async (licence: string) => {
      const files = {
        "main.ts": 'import "one";',
        ...installed("node_modules/one", { "index.js": "console.log(1);", LICENSE: licence }),
      };
      const options = { root: project(files), entry: "main.ts", name: "notes" };
      return await providerPackage(esbuild, {
        ...options,
        minimumNode: "20",
        defersCertificates: false,
      });
    };
    const [one, same, other] = [await build("one"), await build("one"), await build("other")];
    expect(same.version).toBe(one.version);
    expect(other.version).not.toBe(one.version);
  });

  it.each([
    ["no licence", {}, "one@1.0.0 has no licence in node_modules/one/package.json"],
    ["another licence", { license: "SSPL-1.0" }, 'one@1.0.0 has the licence "SSPL-1.0"'],
  ])("keep a package with %s out, unless it is permitted", async (_, more, problem) => {
    const files = {
      "main.ts": 'import "one";',
      ...installed("node_modules/one", {
        "index.js": "console.log(1);",
        "package.json": manifest("one", "1.0.0", more),
      }),
    };
    await expect(pack(files)).rejects.toMatchObject({
      name: "LicenceError",
      message: expect.stringContaining(problem) as string,
    });
    const { text } = await pack(files, ["one@1.0.0"]);
    expect(text).toContain("Licence of one 1.0.0.");
  });
});

describe("a package of others", () => {
  const found = async (files: Readonly<Record<string, string>>, ...modules: string[]) => {
    const root = project({
      "node_modules/one/package.json": manifest("one", "1.0.0"),
      ...Object.fromEntries(
        Object.entries(files).map(([path, text]) => [`node_modules/one/${path}`, text]),
      ),
    });
    return await thirdParties(root, modules.length > 0 ? modules : ["node_modules/one/index.js"]);
  };
  const textFiles = async (files: Readonly<Record<string, string>>, ...modules: string[]) =>
    (await found(files, ...modules)).flatMap(({ texts }) => texts.map(({ file }) => file));

  it("has texts under many names, but not in code", async () => {
    const texts = [
      "LICENSE",
      "LICENCE.md",
      "license.txt",
      "License-MIT",
      "LICENSE_APACHE",
      "UNLICENSE",
      "COPYING.LESSER",
      "COPYRIGHT",
      "NOTICE.txt",
      "PATENTS",
      "AUTHORS",
      "MIT-LICENSE.txt",
      "ThirdPartyNotices.txt",
      "THIRD_PARTY_LICENSES",
      "third-party.md",
      "LICENSES/MIT.txt",
    ];
    const others = [
      "license.js",
      "LICENSE.d.ts",
      "licenses.json",
      "licensee.md",
      "notice.mjs",
      "README.md",
      "licenses/list.json",
      "noticeboard.txt",
      "authorship",
      "index.js",
    ];
    const all = Object.fromEntries([...texts, ...others].map((each) => [each, "text"]));
    expect(await textFiles(all)).toEqual([...texts].sort());
  });

  it("has the texts of the folders that its modules are in, and the nearest about third parties", async () => {
    const files = {
      LICENSE: "a",
      "THIRD-PARTY-LICENSES": "all",
      "lib/NOTICE": "b",
      "vendor/x/LICENSE": "c",
      "lib/one/THIRD-PARTY-LICENSES": "one",
      "lib/one/y/LICENSE": "e",
    };
    const at = (path: string) => `node_modules/one/${path}`;
    expect(await textFiles(files, at("index.js"))).toEqual(["LICENSE", "THIRD-PARTY-LICENSES"]);
    expect(await textFiles(files, at("lib/one/y/index.js"))).toEqual([
      "LICENSE",
      "lib/NOTICE",
      "lib/one/THIRD-PARTY-LICENSES",
      "lib/one/y/LICENSE",
    ]);
    expect(await textFiles(files, at("vendor/x/a.js"), at("lib/one/a.js"))).toEqual([
      "LICENSE",
      "THIRD-PARTY-LICENSES",
      "lib/NOTICE",
      "lib/one/THIRD-PARTY-LICENSES",
      "vendor/x/LICENSE",
    ]);
  });

  it("has the same text whatever its line ends", async () => {
    const [one] = await found({ LICENSE: "\u{FEFF}\r\n  You may  \r\ncopy.\t\r\n\r\n" });
    expect(one?.texts).toMatchObject([{ text: "  You may\ncopy." }]);
  });

  it("has the copyright in its README, and then the standard text as well", async () => {
    const readme =
      "# One\nCopyright is hard.\n\nLicense\n-------\n\nCopyright (c) Ada\n\n## Thanks\nBob\n";
    const packages = await found({ "README.md": readme });
    expect(packages[0]?.texts).toEqual([
      { file: "README.md", kind: "notice", text: "Copyright (c) Ada" },
    ]);
    const text = licenceNotices({ packages, comments: [] });
    expect(text).toContain("one@1.0.0: it contains no text of its licence; this is that of MIT\n");
    expect(text).toContain("Permission is hereby granted, free of charge");
    for (const other of ["## License\nMIT", "Copyright (c) Ada"]) {
      expect(await textFiles({ "README.md": other })).toEqual([]);
    }
  });

  it.each([
    [{ license: "MIT" }, "MIT"],
    [{ license: " MIT " }, "MIT"],
    [{ license: { type: "ISC", url: "https://a" } }, "ISC"],
    [{ licenses: [{ type: "MIT" }, { type: "GPL-2.0-only" }] }, "MIT AND GPL-2.0-only"],
    [{ licenses: ["MIT"] }, "MIT"],
    [{ licenses: [{ type: "MIT" }, {}] }, undefined],
    [{ licenses: [] }, undefined],
    [{ license: "" }, undefined],
    [{ license: ["MIT"] }, undefined],
    [{}, undefined],
  ])("says %j about its licence", async (more, licence) => {
    const [one] = await found({ "package.json": manifest("one", "1.0.0", more) });
    expect(one?.licence).toBe(licence);
  });

  it.each(["", "[]", "null", "no JSON"])(
    "has no licence if its package.json is %j",
    async (text) => {
      const [one] = await found({ "package.json": text });
      expect(one).toMatchObject({ name: "one", version: "unknown", licence: undefined });
    },
  );

  it("is called by its own name, not by the alias under which it is installed", async () => {
    const [one] = await found({ "package.json": manifest("@other/name", "3.0.0") });
    expect(one).toMatchObject({
      name: "@other/name",
      version: "3.0.0",
      folder: "node_modules/one",
    });
  });

  it("is found in any folder of node_modules", async () => {
    const folders = ["node_modules/.pnpm/two@1.0.0/node_modules/two", "../node_modules/@a/two"];
    const root = join(project({}), "project");
    const packages = await thirdParties(
      root,
      folders.map((each) => `${each}/index.js`),
    );
    expect(packages.map(({ name, folder }) => [name, folder])).toEqual([
      ["@a/two", folders[1]],
      ["two", folders[0]],
    ]);
    expect(
      await thirdParties(root, ["src/node_modules.ts", "(disabled):node_modules/a/b.js"]),
    ).toEqual([]);
  });
});

test("packages are listed once, with all texts, and a text once, with all packages", async () => {
  const same = (folder: string) => ({
    [`${folder}/package.json`]: manifest(folder.split("/").at(-1) ?? "", "1.0.0"),
    [`${folder}/LICENSE`]: "The same text.",
  });
  const root = project({
    ...same("node_modules/b"),
    ...same("node_modules/a"),
    ...same("node_modules/a/node_modules/b"),
    "node_modules/a/node_modules/b/lib/NOTICE": "Only in lib.",
  });
  const one = await noticesFor(root, { modules: ["node_modules/b/i.js"], comments: ["/* 1 */"] });
  const two = await noticesFor(root, {
    modules: ["node_modules/a/i.js", "node_modules/a/node_modules/b/lib/i.js"],
    comments: ["/* 1 */", "/* 0 */"],
  });
  const text = licenceNotices(uniteNotices([one, two]));
  expect(text).toBe(licenceNotices(uniteNotices([two, one])));
  expect(listed(text)).toEqual(["- a@1.0.0: MIT", "- b@1.0.0: MIT"]);
  expect(text.match(/The same text\./g)).toHaveLength(1);
  expect(text).toContain("a@1.0.0: LICENSE\nb@1.0.0: LICENSE\n");
  expect(text.match(/Only in lib\./g)).toHaveLength(1);
  expect(text).toContain("/* 0 */\n\n/* 1 */\n");
});
