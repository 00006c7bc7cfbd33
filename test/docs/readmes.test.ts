import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "./page";

const files = ["src", "bench", "editors"].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name)),
);
const readmes = files.filter((file) => basename(file) === "README.md");

/** The files and folders that a README names: with an ending, or with a slash at the end. */
function namedIn(readme: string): readonly string[] {
  const names = readFileSync(readme, "utf8").matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\.ts|\/))`/g);
  return [...names].map(([, name = ""]) => name);
}

/** The files of a room, which READMEs of other folders mention as a kind. */
const roomFiles = [
  "declare.ts",
  "generated.ts",
  "enums.ts",
  "props.ts",
  "construct.ts",
  "rules.ts",
  "handlers.ts",
];

/** Below the folder, relative to it, or relative to the checkout. */
function isThere(folder: string, name: string): boolean {
  if (roomFiles.includes(name)) return true;
  if ([folder, root].some((from) => existsSync(join(from, name)))) return true;
  const isPart = (file: string) =>
    name.endsWith("/") ? file.includes(`/${name}`) : file.endsWith(`/${name}`);
  return files.some((file) => file.startsWith(`${folder}/`) && isPart(file));
}

test("the files that `npm test` leaves to a second call exist", () => {
  const text = readFileSync(join(root, "test", "rest.json"), "utf8");
  const paths = Object.values(JSON.parse(text) as Record<string, readonly string[]>).flat();
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, "test", path)))).toEqual([]);
});

test("a README names only what exists", () => {
  const wrong = readmes.flatMap((readme) =>
    namedIn(readme)
      .filter((name) => !isThere(dirname(readme), name))
      .map((name) => `${readme.slice(root.length + 1)}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("the page for contributors names only files that exist", () => {
  const page = readFileSync(join(root, "docs/contributing.md"), "utf8");
  const sources = ["bench", "bindings", "scripts", "src", "stacks", "test"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true }).map((name) => `/${top}/${String(name)}`),
  );
  const names = [...page.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.ts)`/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(50);
  const missing = names.filter((name) => !sources.some((source) => source.endsWith(`/${name}`)));
  // The two examples that the page makes up.
  expect(missing.filter((name) => !/\b(?:mail|profile)\b/.test(name))).toEqual([]);
});

test("each of the five journeys has at most ten stops, at files that exist", () => {
  const page = readFileSync(join(root, "docs/contributing.md"), "utf8");
  const [, section = ""] = /^## Five journeys\n([^]*?)^## /m.exec(page) ?? [];
  const journeys = section.split(/^### .*$/m).slice(1);
  expect(journeys).toHaveLength(5);
  const folders = ["", "src/core", "src/core/signing"].map((folder) => join(root, folder));
  for (const journey of journeys) {
    expect(journey.match(/^\d+\. /gm)?.length).toBeLessThanOrEqual(10);
    const names = [...journey.matchAll(/`([\w/-]+\.ts)`/g)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(5);
    const missing = names.filter(
      (name) =>
        !roomFiles.includes(name) && !folders.some((folder) => existsSync(join(folder, name))),
    );
    expect(missing).toEqual([]);
  }
});

test("a folder with more than five files has a README", () => {
  const counts = new Map<string, number>();
  for (const folder of files.map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const without = [...counts]
    .filter(
      ([folder, count]) =>
        count > 5 &&
        folder.startsWith(join(root, "src")) &&
        !readmes.includes(join(folder, "README.md")),
    )
    .map(([folder]) => folder.slice(root.length + 1));
  expect(without).toEqual([]);
});
