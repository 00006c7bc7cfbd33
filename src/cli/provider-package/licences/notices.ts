import { refuseLicences, standardTextOf } from "./permitted";
import { identityOf, type ThirdParty, thirdParties, uniteThirdParties } from "./third-parties";

/** The name of the file with third-party licences, in each package that contains third-party code. */
export const noticesFile = "THIRD-PARTY-LICENSES";

/** The third-party code in a bundle. */
export interface BundledCode {
  /** The modules, as paths from the root. */
  readonly modules: readonly string[];
  /** The comments with licences that the modules had. */
  readonly comments: readonly string[];
}

/** A file that esbuild has written. */
interface MadeFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Checks whether a file contains the comments that esbuild writes beside a bundle with
 * `legalComments: "external"`.
 */
export const isLegalFile = ({ path }: Pick<MadeFile, "path">): boolean =>
  path.endsWith(".LEGAL.txt");

/**
 * Returns the comments with licences or copyrights that the code of a bundle had before it was minified, each
 * once.
 */
export function legalComments(files: readonly MadeFile[]): readonly string[] {
  const found = files.filter(isLegalFile).flatMap(({ text }) => text.match(indented) ?? []);
  return [...new Set(found.map((each) => each.replaceAll(/^ {2}/gm, "")))].sort();
}

/** A comment below the paths of the modules that have it, where esbuild indents it. */
const indented = /^ {2}(?:\/\*[^]*?\*\/|\/\/.*(?:\n {2}\/\/.*)*)/gm;

/** The licence notices that third-party code requires us to pass on. */
export interface Notices {
  readonly packages: readonly ThirdParty[];
  readonly comments: readonly string[];
}

/**
 * Collects the notices for bundled code.
 *
 * @param permitted as for {@link refuseLicences}
 * @throws LicenceError if a package must not be bundled
 */
export async function noticesFor(
  root: string,
  { modules, comments }: BundledCode,
  permitted: readonly string[] = [],
): Promise<Notices> {
  const packages = await thirdParties(root, modules);
  refuseLicences(packages, permitted);
  return { packages, comments };
}

/** Combines the notices of several bundles in one place. */
export function uniteNotices(all: readonly Notices[]): Notices {
  return {
    packages: uniteThirdParties(all.flatMap(({ packages }) => packages)),
    comments: [...new Set(all.flatMap(({ comments }) => comments))].sort(),
  };
}

const line = "=".repeat(80);

/**
 * Returns the content of {@link noticesFile}: a list of the packages, their texts, each once, and the
 * comments with licences in their code. It does not depend on the machine or the time.
 */
export function licenceNotices({ packages, comments }: Notices): string {
  if (packages.length === 0) return "This package contains no code of other packages.\n";
  const list = packages.map(
    (each) =>
      `- ${identityOf(each)}: ${[each.licence ?? "no licence", each.origin].filter(Boolean).join(", ")}`,
  );
  const holders = new Map<string, string[]>();
  for (const each of packages) {
    for (const { title, text } of textsOf(each)) {
      holders.set(text, [...(holders.get(text) ?? []), title]);
    }
  }
  const sections = [...holders].map(
    ([text, titles]) => `${line}\n${titles.join("\n")}\n${line}\n\n${text}\n`,
  );
  if (comments.length > 0) {
    const title = "Comments with licences in the code of these packages";
    sections.push(`${line}\n${title}\n${line}\n\n${comments.join("\n\n")}\n`);
  }
  const head = `This package contains code of the packages below, under their own licences.\n\n${list.join("\n")}\n`;
  return [head, ...sections].join("\n");
}

/** Returns the texts of a package, or the standard text of its licence if it has none. */
function textsOf({ texts, licence = "", ...each }: ThirdParty): { title: string; text: string }[] {
  const own = texts.map(({ file, text }) => ({ title: `${identityOf(each)}: ${file}`, text }));
  const standard = standardTextOf(licence);
  if (texts.some(({ kind }) => kind === "licence") || standard === undefined) return own;
  const title = `${identityOf(each)}: it contains no text of its licence; this is that of ${standard.id}`;
  return [...own, { title, text: standard.text.trim() }];
}
