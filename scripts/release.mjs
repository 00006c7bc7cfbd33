// @ts-check
// npm run release [-- --key <reference>] [--gpg-key <key>] [--compile <os_arch>] [--out <folder>] [--built] [--without-extension]
import { execFileSync, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./providers.mjs";
import { placeholders } from "./release/placeholders.mjs";

const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: join("dist", "release") },
    key: { type: "string" },
    "gpg-key": { type: "string" },
    compile: { type: "string", multiple: true, default: [] },
    built: { type: "boolean", default: false },
    "without-extension": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(`Usage: npm run release -- [--key <reference>] [--gpg-key <key>] [--compile <os_arch>] [--out <folder>] [--built]
                          [--without-extension]

Makes the release of the version in package.json from the last commit: the npm packages, the extension
for VS Code, the providers for a registry and a mirror, and a software bill of materials. The same commit gives the same bytes.
First, \`npm test -- --all\` must pass.

  --key <reference>  attest the release with this key: a file, env://NAME or the URI of a
                     key-management service, as for the signing provider. COSIGN_PASSWORD
                     is the password of a file
  --gpg-key <key>    sign the checksums with this key of GnuPG
  --compile <os_arch>
                     give this platform providers that need no Node.js, such as windows_amd64.
                     Can be repeated
  --out <folder>     where to write (default: dist/release)
  --built            use what is built in the working tree instead of the last commit, to
                     try a release, without running the tests
  --without-extension
                     leave out the extension for VS Code, to try a release: npm installs its packer,
                     which takes 100 MB`);
  process.exit(0);
}

const git = (/** @type {string[]} */ ...args) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 }).trim();

const work = await mkdtemp(join(tmpdir(), "trivet-release-"));
try {
  await (options.built ? copyWorkingTree() : exportCommit());
  if (!options.built) run(root, "scripts/test.mjs", "--all");
  await symlink(join(root, "node_modules"), join(work, "node_modules"));
  run(work, "scripts/build.mjs", "--release", "--quiet", ...(options.built ? ["--providers"] : []));
  const out = resolve(process.cwd(), options.out);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  run(
    work,
    "scripts/release/make-release.mjs",
    "--out",
    out,
    ...(options.built ? [] : ["--commit", git("rev-parse", "HEAD")]),
    ...(options.key === undefined ? [] : ["--key", keyFrom(options.key)]),
    ...options.compile.flatMap((platform) => ["--compile", platform]),
    ...(options["gpg-key"] === undefined ? [] : ["--gpg-key", options["gpg-key"]]),
    ...(options["without-extension"] ? ["--without-extension"] : []),
  );
} finally {
  await rm(work, { recursive: true, force: true });
}

/** A commit is built in a folder of its own: leftovers of earlier builds never get into a release. */
async function exportCommit() {
  if (git("status", "--porcelain") !== "") {
    console.error(
      "The working tree has changes that are not in a commit. Commit them, or try a release with --built.",
    );
    await rm(work, { recursive: true, force: true });
    process.exit(1);
  }
  const open = await placeholders(root);
  if (open.length > 0) {
    console.error(`${open.join("\n")}\nCorrect these, or try a release with --built.`);
    await rm(work, { recursive: true, force: true });
    process.exit(1);
  }
  const archive = execFileSync("git", ["archive", "HEAD"], { cwd: root, maxBuffer: 1 << 28 });
  execFileSync("tar", ["-x", "-C", work], { input: archive });
}

async function copyWorkingTree() {
  const listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0");
  const deleted = new Set(git("ls-files", "-z", "--deleted").split("\0"));
  const files = listed.filter((file) => file !== "" && !deleted.has(file));
  for (const file of [...files, "dist/src", "dist/bindings", "dist/module"]) {
    await mkdir(dirname(join(work, file)), { recursive: true });
    await cp(join(root, file), join(work, file), { recursive: true });
  }
}

/**
 * The release is made in another folder, so the path of a key must be absolute.
 *
 * @param {string} reference
 */
function keyFrom(reference) {
  return reference.includes("://") ? reference : resolve(process.cwd(), reference);
}

/**
 * @param {string} cwd
 * @param {string[]} args
 */
function run(cwd, ...args) {
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: "inherit" });
  if (status !== 0) throw new Error(`${args[0]} failed: see above. Nothing was released.`);
}
