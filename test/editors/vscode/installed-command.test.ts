import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../../cli/temporary-folder";

// The extension is compiled on its own.
const { installedCommand } = jest.requireActual<{
  readonly installedCommand: (folder: string, root: string) => string | undefined;
}>("../../../editors/vscode/src/installed-command");

const folder = temporaryFolder();

/** Installs a package whose command is at a path. */
function install(at: string, bin: string): string {
  const installed = join(folder, at, "node_modules", "@trivet", "constructs");
  mkdirSync(join(installed, "bin"), { recursive: true });
  writeFileSync(join(installed, "package.json"), JSON.stringify({ bin: { trivet: bin } }));
  writeFileSync(join(installed, "bin", "main.js"), "");
  return installed;
}

const inFolder = (name: string): string => join(folder, name);

test("finds the command in the nearest folder, up to the one that was opened", () => {
  const installed = install("open", "./bin/main.js");
  mkdirSync(inFolder("open/packages/app"), { recursive: true });
  const command = join(installed, "bin", "main.js");
  for (const each of ["open", "open/packages/app"]) {
    expect(installedCommand(inFolder(each), inFolder("open"))).toBe(command);
  }
  expect(installedCommand(inFolder("open/packages"), inFolder("open/packages"))).toBeUndefined();
});

test.each(["../../../../evil.js", "bin/../../constructs-evil.js"])(
  "does not run a command that leaves its package: %s",
  (bin) => {
    const installed = install("leaving", bin);
    writeFileSync(join(installed, bin), "");
    expect(installedCommand(inFolder("leaving"), inFolder("leaving"))).toBeUndefined();
  },
);

test("does not run a command that is a link out of its package", () => {
  const installed = install("linked", "bin/evil.js");
  writeFileSync(inFolder("evil.js"), "");
  symlinkSync(inFolder("evil.js"), join(installed, "bin", "evil.js"));
  expect(installedCommand(inFolder("linked"), inFolder("linked"))).toBeUndefined();
});

test("follows the link with which package managers install", () => {
  const store = install("store", "bin/main.js");
  const link = inFolder("stored/node_modules/@trivet/constructs");
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(store, link);
  expect(installedCommand(inFolder("stored"), inFolder("stored"))).toBe(join(store, "bin/main.js"));
});
