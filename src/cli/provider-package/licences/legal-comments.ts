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
