import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BuildFailure } from "esbuild";
import { isObject } from "../../json/is-object";
import { messageText } from "../../pack/bundle";
import { addToMirror } from "../../pack/network-mirror";
import { type ProviderPackage, providerPackage } from "../../pack/provider-package";
import { type RegistryRelease, registryRelease } from "../../pack/registry-release";
import type { CommandEnvironment } from "../invocation/command-environment";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { loadBundler } from "./load-bundler";
import { checkedVersion, providerAddress } from "./provider-address";
import { signChecksums } from "./sign-checksums";
import { type SourceProject, sourceProject } from "./source-project";
import { tryStart } from "./try-start";

/** What to pack, as on the command line. */
export interface PackRequest {
  /** The module that calls `serve`. */
  readonly main: string;
  readonly source: string;
  /** @default the version in the package.json above the module */
  readonly version: string | undefined;
  readonly out: string;
  /** Checked names of platforms. */
  readonly platforms: readonly string[];
  readonly gpgKey: string | undefined;
  /** Replaces a release of the same version with different content. */
  readonly force: boolean;
  /** The oldest version of Node.js that runs it. */
  readonly minimumNode: string;
}

/** What was packed, as `--json` prints it. */
export interface Packed {
  readonly name: string;
  readonly version: string;
  readonly source: string;
  /** The folder with what a registry needs. */
  readonly registry: string;
  /** The folder to serve as a network mirror, or to use as a filesystem mirror. */
  readonly mirror: string;
  readonly files: readonly string[];
  /** The signature of the checksums, if there is one. */
  readonly signature: string | undefined;
  readonly warnings: readonly string[];
}

/**
 * Packs a provider for registries and mirrors.
 *
 * @throws CommandError if it cannot be bundled or does not start, or if the output has other content for the
 * same version
 */
export async function packProvider(
  request: PackRequest,
  around: CommandEnvironment,
): Promise<Packed> {
  const { source, name } = providerAddress(request.source);
  const project = sourceProject(request.main, around.workingFolder);
  const version = versionOf(request, project);
  const out = resolve(around.workingFolder, request.out);
  const made = await bundled(project, { name, version, minimumNode: request.minimumNode });
  await tryStart(made, source);

  const release = registryRelease(made, request.platforms);
  const registry = join(out, "registry", version);
  const mirror = join(out, "mirror");
  if (!request.force) await refuseOtherContent(registry, release);
  await mkdir(registry, { recursive: true });
  for (const [file, content] of release.files) await writeFile(join(registry, file), content);
  await addToMirror(mirror, source, made, release);
  const signature =
    request.gpgKey === undefined
      ? undefined
      : await signChecksums(join(registry, release.checksums), request.gpgKey);
  const files = [...release.files.keys()];
  return { name, version, source, registry, mirror, files, signature, warnings: made.warnings };
}

function versionOf({ version: given }: PackRequest, { version, root }: SourceProject): string {
  const found = given ?? version;
  if (found !== undefined) return checkedVersion(found);
  throw new CommandError(
    `The provider has no version: there is none in package.json in ${root}.`,
    "Add a version to package.json, or pass --provider-version 1.0.0.",
    ExitCode.usage,
  );
}

async function bundled(
  { root, entry }: SourceProject,
  provider: { readonly name: string; readonly version: string; readonly minimumNode: string },
): Promise<ProviderPackage> {
  const bundler = loadBundler(root);
  try {
    // Which HTTPS clients a provider has is not known, and whether they read a renamed variable.
    return await providerPackage(bundler, { root, entry, ...provider, defersCertificates: false });
  } catch (cause) {
    if (!isBuildFailure(cause)) throw cause;
    const errors = cause.errors.map(messageText).join("\n");
    throw new CommandError(
      `The provider cannot be bundled.\n${errors}`,
      "Correct the errors above. Everything that the provider imports must be installed, and native parts (.node) " +
        "and top-level await cannot be bundled.",
      undefined,
      { cause },
    );
  }
}

const isBuildFailure = (failure: unknown): failure is BuildFailure =>
  failure instanceof Error && isObject(failure) && Array.isArray(failure["errors"]);

/** Lock files bind a version to its checksums, so the same version must have the same bytes. */
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
