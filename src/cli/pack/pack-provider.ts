import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { hasCode, standardErrorOf } from "../../core/process/system-error";
import type { CommandEnvironment } from "../invocation/command-environment";
import { CommandError, ExitCode } from "../invocation/failure";
import {
  addToMirror,
  type RegistryRelease,
  registryRelease,
} from "../provider-package/registry-release";
import {
  loadBundler,
  providerArchives,
  type SourceProject,
  sourceProject,
} from "./provider-archives";
import { checkedVersion, providerAddress, type RequestedPlatforms } from "./options";

/** A request to pack a provider, as on the command line. */
interface PackRequest {
  /** The module that calls `serve`. */
  readonly main: string;
  readonly source: string;
  /** @default the version in the package.json above the module */
  readonly version: string | undefined;
  readonly out: string;
  readonly platforms: RequestedPlatforms;
  readonly gpgKey: string | undefined;
  /** Replaces a release of the same version with different content. */
  readonly force: boolean;
  /** The oldest version of Node.js that runs it. */
  readonly minimumNode: string;
  /** Licences, and packages as `name@version`, that may be bundled besides permissive licences. */
  readonly permitted: readonly string[];
}

/** The packed files, as `--json` prints them. */
export interface Packed {
  readonly name: string;
  readonly version: string;
  readonly source: string;
  /** The folder with the files for a registry. */
  readonly registry: string;
  /** The folder to serve as a network mirror, or to use as a filesystem mirror. */
  readonly mirror: string;
  readonly files: readonly string[];
  /** The signature of the checksums, if any. */
  readonly signature: string | undefined;
  readonly warnings: readonly string[];
}

/**
 * Packs a provider for registries and mirrors.
 *
 * @throws CommandError if it cannot be bundled or compiled, does not start, or differs from a release with the same version
 */
export async function packProvider(
  request: PackRequest,
  around: CommandEnvironment,
): Promise<Packed> {
  const { source, name } = providerAddress(request.source);
  const project = sourceProject(request.main, around.workingFolder);
  const version = versionOf(request, project);
  const out = resolve(around.workingFolder, request.out);
  const { root, entry } = project;
  const { minimumNode, permitted, platforms } = request;
  const provider = { root, entry, name, version, source, minimumNode, permitted };
  const { archives, warnings } = await providerArchives(loadBundler(root), provider, platforms);

  const release = registryRelease({ name, version }, archives);
  const registry = join(out, "registry", version);
  const mirror = join(out, "mirror");
  if (!request.force) await refuseOtherContent(registry, release);
  await mkdir(registry, { recursive: true });
  for (const [file, content] of release.files) await writeFile(join(registry, file), content);
  await addToMirror(mirror, source, release);
  const signature =
    request.gpgKey === undefined
      ? undefined
      : await signChecksums(join(registry, release.checksums), request.gpgKey);
  const files = [...release.files.keys()];
  return { name, version, source, registry, mirror, files, signature, warnings };
}

function versionOf({ version: given }: PackRequest, { version, root }: SourceProject): string {
  const found = given ?? version;
  if (found !== undefined) return checkedVersion(found);
  throw new CommandError(
    `The provider has no version: package.json in ${root} has none.`,
    "Add a version to package.json, or pass --provider-version 1.0.0.",
    ExitCode.usage,
  );
}

/** Refuses different content for the same version, because lock files bind a version to its checksums. */
async function refuseOtherContent(folder: string, { files }: RegistryRelease): Promise<void> {
  for (const [name, content] of files) {
    const present = await readFile(join(folder, name)).catch(() => undefined);
    if (name.endsWith(".zip") && present !== undefined && !present.equals(content)) {
      throw new CommandError(
        `${join(folder, name)} has different content than this build of the same version.`,
        "Users who have installed it could not install it again. Raise the version, or pass --force if nobody has it yet.",
      );
    }
  }
}

/** Enough time to type a passphrase. */
const maxWaitMs = 300_000;

/**
 * Signs a file with GnuPG, as registries expect: a detached binary signature in `<file>.sig`.
 *
 * @param key the argument of `gpg --local-user`: a fingerprint, a key ID or an e-mail address
 * @throws CommandError if GnuPG is missing or refuses
 */
export async function signChecksums(file: string, key: string): Promise<string> {
  const signature = `${file}.sig`;
  await rm(signature, { force: true });
  const args = ["--batch", "--local-user", key, "--output", signature, "--detach-sign", file];
  try {
    await promisify(execFile)("gpg", args, { timeout: maxWaitMs });
    return signature;
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) {
      throw new CommandError(
        "GnuPG is not installed: `gpg` is not on PATH.",
        "Install GnuPG, or leave out --gpg-key and sign the file with SHA256SUMS in its name in another way.",
        undefined,
        { cause },
      );
    }
    const said = standardErrorOf(cause);
    throw new CommandError(
      `GnuPG cannot sign with the key ${JSON.stringify(key)}.\n${said}`.trim(),
      "`gpg --list-secret-keys` lists the keys. Pass the fingerprint of one. Registries accept RSA and DSA keys.",
      undefined,
      { cause },
    );
  }
}
