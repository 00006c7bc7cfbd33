import { isRecord } from "../../json/plain-json";

/** The package path from which the constructs for each library are imported. */
export const entryPoints = {
  cdktf: "@trivet/constructs",
  cdktn: "@trivet/constructs/cdktn",
} as const;

/** A library of constructs for Terraform: cdktf, or cdktn, which continues it. */
export type Library = keyof typeof entryPoints;

/** The library of this flavour of the package. The build writes the name of the other into its copy. */
export const library: Library = "cdktf";

/**
 * Explains what to do if the library of this flavour is not installed. Returns undefined if loading it failed
 * with `error` for another reason.
 */
function missingLibrary(error: unknown): Error | undefined {
  if (!isRecord(error) || error["code"] !== "MODULE_NOT_FOUND") return undefined;
  if (!String(error["message"]).includes(`'${library}'`)) return undefined;
  const others = (Object.keys(entryPoints) as Library[]).filter((each) => each !== library);
  const needs = `"${entryPoints[library]}" needs ${library}, which is not installed`;
  const instead = (other: Library): string =>
    `write "${entryPoints[other]}" instead of "${entryPoints[library]}" in your imports`;
  const installed = others.find(isInstalled);
  if (installed !== undefined) {
    return new Error(`${needs}, but ${installed} is: ${instead(installed)}`, { cause: error });
  }
  const cures = others.map((other) => `, or \`npm install ${other}\` and ${instead(other)}`);
  return new Error(`${needs}: run \`npm install ${library}\`${cures.join("")}`, { cause: error });
}

function isInstalled(name: Library): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

// Imported before everything else that needs the library, so that users read what to install if it is missing.
try {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import cannot be tried
  require("cdktf");
} catch (error) {
  throw missingLibrary(error) ?? error;
}
