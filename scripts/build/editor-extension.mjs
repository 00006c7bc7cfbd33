// @ts-check
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { noticesOfBundle, pack } from "./notices.mjs";

/** The folder of the extension for VS Code, from the checkout. */
const source = join("editors", "vscode");

/**
 * Puts the extension for VS Code together: one script, with all that it needs, and what the editor shows of it.
 *
 * @param {string} root
 * @param {string} out the folder for it
 * @returns its manifest, with the version and the publisher of the checkout, and what is passed on with it
 */
export async function writeEditorExtension(root, out) {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const bundle = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [join(source, "src", "extension.ts")],
    outfile: join(out, "extension.js"),
    write: false,
    metafile: true,
    // A release is made in a folder in which `node_modules` is a link.
    preserveSymlinks: true,
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    // That of the oldest VS Code in its manifest.
    target: "node20",
    // The editor provides it.
    external: ["vscode"],
    legalComments: "external",
    logLevel: "warning",
  });
  const code = bundle.outputFiles.find((file) => !pack.isLegalFile(file))?.text ?? "";
  const notices = await noticesOfBundle(root, bundle);
  await writeFile(join(out, "extension.js"), code);
  await writeFile(join(out, pack.noticesFile), pack.licenceNotices(notices));
  const { version, license, homepage, repository, bugs } = await manifestIn(root);
  const own = await manifestIn(join(root, source));
  const manifest = { ...own, version, license, homepage, repository, bugs };
  await writeFile(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of ["README.md", "icon.png"]) {
    await cp(join(root, source, file), join(out, file));
  }
  await cp(join(root, "LICENSE"), join(out, "LICENSE"));
  return { manifest, notices };
}

/** @param {string} folder */
async function manifestIn(folder) {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
}
