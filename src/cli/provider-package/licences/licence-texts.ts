import { readFile, readdir } from "node:fs/promises";
import type { Dirent } from "node:fs";
import { join } from "node:path";

/** A text in a package about its licence. */
export interface LicenceText {
  /** The path of the file in the package, with slashes. */
  readonly file: string;
  readonly kind: TextKind;
  readonly text: string;
}

type TextKind = "licence" | "notice" | "third-party";

const kinds: readonly (readonly [TextKind, RegExp])[] = [
  ["third-party", /^third[-_ ]?party/i],
  ["licence", /^(?:(?:un|mit-)?licen[cs]e|copying)(?![a-z])/i],
  ["notice", /^(?:notices?|copyright|patents|authors)(?![a-z])/i],
];
/** Code and data with names like those of texts, such as `license.js`. */
const noText = /\.(?:[cm]?[jt]sx?|json|map|ya?ml|css|png|svg|node|wasm)$/i;
/** A folder with the texts of several licences. */
const textFolder = /^licen[cs]es$/i;

/**
 * Returns the texts in a package that belong to some of its modules: licences and notices in the folders of the modules and
 * their parents, and the file about third parties in the nearest of these folders. A package that bundles others has such a
 * file, or one for each bundle.
 *
 * @param modules their paths in the package, with slashes
 */
export async function licenceTexts(
  folder: string,
  modules: readonly string[],
): Promise<readonly LicenceText[]> {
  const inFolder = new Map<string, Promise<readonly LicenceText[]>>();
  const textsIn = (below: string): Promise<readonly LicenceText[]> => {
    const found = inFolder.get(below) ?? readTexts(folder, below);
    inFolder.set(below, found);
    return found;
  };
  const byFile = new Map<string, LicenceText>();
  for (const chain of new Map(modules.map((each) => [parentOf(each), foldersOf(each)])).values()) {
    let isNearest = true;
    for (const below of chain) {
      const texts = await textsIn(below);
      for (const text of texts) {
        if (text.kind !== "third-party" || isNearest) byFile.set(text.file, text);
      }
      isNearest &&= !texts.some(({ kind }) => kind === "third-party");
    }
  }
  if ([...byFile.values()].some(({ kind }) => kind === "licence")) return [...byFile.values()];
  return [...byFile.values(), ...(await readmeText(folder))];
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/**
 * Returns the folders of a module, from its own to that of the package, with a slash at the end: `a/b/`,
 * `a/`, ``.
 */
function foldersOf(module: string): readonly string[] {
  const names = module.split("/").slice(0, -1);
  return names.map((_, depth) => `${names.slice(0, names.length - depth).join("/")}/`).concat("");
}

async function readTexts(folder: string, below: string): Promise<readonly LicenceText[]> {
  const found: { readonly file: string; readonly kind: TextKind }[] = [];
  for (const entry of await entriesOf(join(folder, below))) {
    const [kind] = kinds.find(([, names]) => names.test(entry.name)) ?? [];
    const file = `${below}${entry.name}`;
    if (entry.isDirectory() && textFolder.test(entry.name)) {
      const inside = (await entriesOf(join(folder, file))).filter((each) => each.isFile());
      found.push(
        ...inside.map(({ name }) => ({ file: `${file}/${name}`, kind: "licence" as const })),
      );
    } else if (entry.isFile() && kind !== undefined) found.push({ file, kind });
  }
  const texts = await Promise.all(
    found
      .filter(({ file }) => !noText.test(file))
      .map(async (each) => ({ ...each, text: await readText(join(folder, each.file)) })),
  );
  return texts.filter(({ text }) => text !== "");
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads a text with the same line breaks on each system. */
async function readText(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  return text
    .replace(/^\u{FEFF}/u, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[ \t]+$/gm, "")
    .replaceAll(/^\n+|\n+$/g, "");
}

/** Reads the copyright in the last section of the README, the only place where some packages have it. */
async function readmeText(folder: string): Promise<readonly LicenceText[]> {
  const readme = (await entriesOf(folder)).find(({ name }) => /^readme(?:\.md)?$/i.test(name));
  if (readme === undefined) return [];
  const text = await readText(join(folder, readme.name));
  const heading = /^(?:#+ *licen[cs]e.*|licen[cs]e *\n[-=]+)\n/im.exec(text);
  if (heading === null) return [];
  const [section = ""] = text
    .slice(heading.index + heading[0].length)
    .split(/^(?:#+ .*|.+\n[-=]{3,})$/m);
  return /copyright|©/i.test(section)
    ? [{ file: readme.name, kind: "notice", text: section.trim() }]
    : [];
}
