// @ts-check

/**
 * Whether a build is a release unless the command line says so: with TRIVET_RELEASE=1, and while npm makes a
 * package to publish or to install elsewhere. The providers in a package have the package's version, which
 * `trivet --version` prints.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function isRelease(env) {
  const isPacking = ["pack", "publish"].includes(env["npm_command"] ?? "");
  return env["TRIVET_RELEASE"] === "1" || (isPacking && env["npm_lifecycle_event"] === "prepack");
}
