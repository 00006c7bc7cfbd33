import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bundle, type Bundler } from "./bundle";
import { licenceNotices, type Notices, noticesFile, noticesFor } from "./licences/notices";
import { contentHash, hashIfPackage, type PackageContent } from "./package-content";

const entryName = "provider";
/** In the bundle, in place of the version until that is known: it may depend on the bundle. */
export const versionPlaceholder = "0.0.0-version-of-this-build";

/** Replaces the variables from which the program reads its version, and whether its declarations need a check. */
export const definitions = (areTested = false): Readonly<Record<string, string>> => ({
  "process.env.TRIVET_PROVIDER_VERSION": JSON.stringify(versionPlaceholder),
  "process.env.TRIVET_TESTED_DECLARATIONS": JSON.stringify(String(areTested)),
});

/** The package of a provider, as Terraform unpacks it. */
export interface ProviderPackage {
  readonly name: string;
  readonly version: string;
  /** The file that Terraform starts. */
  readonly executable: string;
  /** Text, or the bytes of a compiled executable. */
  readonly files: PackageContent;
  /** The warnings of esbuild. */
  readonly warnings: readonly string[];
  /** The content of {@link noticesFile}. */
  readonly notices: Notices;
}

/** The contents and the settings of a package. */
export interface PackageOptions {
  /** The folder from which modules and packages are found. */
  readonly root: string;
  /** The provider's main module, relative to the folder. */
  readonly entry: string;
  readonly name: string;
  /** @default a development version, derived from the content */
  readonly version?: string | undefined;
  /** The oldest version of Node.js that runs it, such as `20.20`. */
  readonly minimumNode: string;
  /** See {@link LauncherOptions.defersCertificates}. */
  readonly defersCertificates: boolean;
  /** True if tests check all declarations, so that the program need not check them at each start. @default false */
  readonly hasTestedDeclarations?: boolean;
  /** Licences of bundled packages, as for {@link noticesFor}. */
  readonly permitted?: readonly string[] | undefined;
}

/**
 * Builds the package of one provider: a launcher, the bundle, the files that it loads on demand, and the
 * licences of its contents.
 *
 * The program finds its version in `process.env.TRIVET_PROVIDER_VERSION`, which is replaced by it.
 *
 * @throws esbuild's failure if the provider cannot be bundled
 * @throws LicenceError if a package must not be bundled
 */
export async function providerPackage(
  bundler: Bundler,
  { version: release, permitted, ...options }: PackageOptions,
): Promise<ProviderPackage> {
  const { root, entry, name, minimumNode, defersCertificates, hasTestedDeclarations } = options;
  const bundled = await bundle(bundler, {
    root,
    entry,
    name: entryName,
    define: definitions(hasTestedDeclarations),
    banner: nodeCheck({ name, minimumNode }),
  });
  const start = launcher({ name, minimumNode, defersCertificates, entry: `${entryName}.cjs` });
  const notices = await noticesFor(root, bundled, permitted);
  const others = new Map([...bundled.files, [noticesFile, licenceNotices(notices)]]);
  const version = release ?? developmentVersion(new Map([...others, ["launcher", start]]));
  const executable = `terraform-provider-${name}_v${version}`;
  const files = new Map<string, string>([[executable, start]]);
  for (const [fileName, text] of others) {
    files.set(fileName, text.replaceAll(versionPlaceholder, version));
  }
  return { name, version, executable, files, warnings: bundled.warnings, notices };
}

/**
 * Returns the version of a build that is not a release: `0.0.<48 bits of its content>-dev`.
 *
 * Different content has a different version, since Terraform's lock file binds a version to its checksum. The
 * hash is in the patch number because cdktf ignores the rest when it decides whether to run
 * `terraform init -upgrade`. "-dev" makes it a pre-release, which only an exact constraint selects.
 */
export function developmentVersion(files: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const fileName of [...files.keys()].sort()) {
    hash.update(JSON.stringify([fileName, files.get(fileName)]));
  }
  return `0.0.${hash.digest().readUIntBE(0, 6)}-dev`;
}

/** The provider that a launcher starts, for messages. */
interface Launched {
  readonly name: string;
  /** The oldest version of Node.js that runs it, such as `20.20`. */
  readonly minimumNode: string;
}

/** The settings of {@link launcher}. */
interface LauncherOptions extends Launched {
  /** The bundle's file. */
  readonly entry: string;
  /**
   * Renames NODE_EXTRA_CA_CERTS to TRIVET_EXTRA_CA_CERTS, which saves 40 ms at every start if the variable is
   * set. Only for programs whose HTTPS clients read the file themselves.
   */
  readonly defersCertificates: boolean;
}

const deferral = `if [ -n "\${NODE_EXTRA_CA_CERTS:-}" ]; then
  TRIVET_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS
  export TRIVET_EXTRA_CA_CERTS
fi
unset NODE_EXTRA_CA_CERTS
`;

/**
 * Returns the script that Terraform starts. It is a shell script because the environment must change before
 * node reads it.
 *
 * NODE_OPTIONS and NODE_V8_COVERAGE are meant for the user's own programs. `command` and `${0%/*}` are built
 * into the shell, so nothing is forked before `exec`.
 *
 * The reason for which a provider cannot start goes to standard output: Terraform shows the first line that
 * it reads there instead of a handshake, and nothing of standard error. It stops reading when the process has
 * exited, so the process waits until Terraform has read the line and kills it.
 */
function launcher({ name, entry, minimumNode, defersCertificates }: LauncherOptions): string {
  return `#!/bin/sh
${defersCertificates ? deferral : ""}unset NODE_OPTIONS NODE_V8_COVERAGE
if ! command -v node >/dev/null 2>&1; then
  echo "The ${name} provider needs Node.js, but \\"node\\" is not on its PATH. Install Node.js ${minimumNode} or newer, or add its folder to PATH."
  PATH=/usr/bin:/bin sleep 2
  exit 1
fi
case $0 in
  */*) here=\${0%/*} ;;
  *) here=. ;;
esac
exec node "$here/${entry}" "$@"
`;
}

/**
 * Returns the first statement of the bundle, which refuses an old Node.js with a message instead of a stack
 * trace.
 */
function nodeCheck({ name, minimumNode }: Launched): string {
  const [major = "0", minor = "0"] = minimumNode.split(".");
  const found = "process.versions.node";
  const parts = `${found}.split(".").map(Number)`;
  return (
    `(function(v){if(v[0]<${major}||v[0]===${major}&&v[1]<${minor}){` +
    `require("node:fs").writeSync(1,"The ${name} provider needs Node.js ${minimumNode} or newer; \\"node\\" on its PATH is "+${found}+".\\n");` +
    `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,2000);process.exit(1)}})(${parts});`
  );
}

/**
 * Replaces `folder` with the package's files atomically. A folder that already has this content is not
 * touched, so that a build without changes has no effect.
 *
 * @returns whether anything was written
 */
export async function writePackage(
  folder: string,
  { files, executable }: Pick<ProviderPackage, "files" | "executable">,
): Promise<boolean> {
  const present = await hashIfPackage(folder).catch(() => undefined);
  if (present === contentHash(files)) return false;
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}.new-`);
  for (const [name, content] of files) {
    await mkdir(dirname(join(fresh, name)), { recursive: true });
    await writeFile(join(fresh, name), content);
  }
  await chmod(join(fresh, executable), 0o755);
  await chmod(fresh, 0o755);
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
  return true;
}
