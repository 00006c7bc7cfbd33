import { failures } from "../../../core/failure/failure";
import { standardTexts } from "./standard-texts";
import { identityOf, type ThirdParty } from "./third-parties";

/**
 * The licences that a bundle may contain unless the caller permits more. They require only their text and notices, which the
 * package contains.
 */
export const permissiveLicences: ReadonlySet<string> = new Set(standardTexts.keys());

/** The error for packages that must not be bundled. The message has a line for each of them. */
export const [licenceError, isLicenceError] = failures<"LICENCE">("LicenceError");

/**
 * Refuses packages whose licence is unknown, is not permitted, or has no text.
 *
 * @param permitted further SPDX licences, and packages as `name@version`, whose licences are not checked
 * @throws LicenceError
 */
export function refuseLicences(
  packages: readonly ThirdParty[],
  permitted: readonly string[] = [],
): void {
  const licences = new Set([...permissiveLicences, ...permitted]);
  const problems = packages
    .filter((each) => !permitted.includes(identityOf(each)))
    .flatMap((each) =>
      problemOf(each, licences).map((problem) => `${identityOf(each)} ${problem}`),
    );
  if (problems.length > 0) throw licenceError("LICENCE", problems.join("\n"));
}

function problemOf(
  { licence, texts, folder }: ThirdParty,
  permitted: ReadonlySet<string>,
): string[] {
  if (licence === undefined) return [`has no licence in ${folder}/package.json`];
  if (!isPermitted(licence, permitted)) {
    return [`has the licence ${JSON.stringify(licence)}, which is not permitted`];
  }
  if (texts.some(({ kind }) => kind === "licence") || standardTextOf(licence) !== undefined)
    return [];
  return [`has no text of its licence ${JSON.stringify(licence)}`];
}

/** Returns SPDX's text of one of the licences in an expression. */
export function standardTextOf(licence: string): { id: string; text: string } | undefined {
  return tokensOf(licence)
    .map((id) => ({ id, text: standardTexts.get(id) }))
    .find((each): each is { id: string; text: string } => each.text !== undefined);
}

const tokensOf = (expression: string): readonly string[] =>
  expression.match(/[()]|[^\s()]+/g) ?? [];

/**
 * Checks whether the licences in an SPDX expression are permitted: all licences joined by AND, one of the licences joined by
 * OR. Anything else, such as `SEE LICENSE IN LICENSE.md`, is not permitted.
 *
 * @see https://spdx.github.io/spdx-spec/v2.3/SPDX-license-expressions/
 */
export function isPermitted(expression: string, permitted: ReadonlySet<string>): boolean {
  const tokens = [...tokensOf(expression)];
  const unexpected: string[] = [];
  const skip = (token: string): boolean => tokens[0] === token && tokens.shift() !== undefined;
  // AND binds more closely than OR. Both sides are read, even if the first decides.
  const either = (): boolean => {
    let result = all();
    while (skip("OR")) result = all() || result;
    return result;
  };
  const all = (): boolean => {
    let result = one();
    while (skip("AND")) result = one() && result;
    return result;
  };
  const one = (): boolean => {
    if (skip("(")) {
      const inner = either();
      if (!skip(")")) unexpected.push(")");
      return inner;
    }
    const id = name().replace(/\+$/, "");
    // An exception only permits more.
    return skip("WITH")
      ? permitted.has(`${id} WITH ${name()}`) || permitted.has(id)
      : permitted.has(id);
  };
  const name = (): string => {
    const token = tokens.shift() ?? "";
    if (/^(?:AND|OR|WITH|[()]|)$/.test(token)) unexpected.push(token);
    return token;
  };
  return either() && unexpected.length === 0 && tokens.length === 0;
}
