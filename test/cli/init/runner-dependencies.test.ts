import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { missingOnRunner } from "../../../src/cli/init/package-source";
import { temporaryFolder } from "../temporary-folder";

describe("a dependency", () => {
  const folder = temporaryFolder();
  for (const name of ["vendor", "node_modules"]) mkdirSync(join(folder, name));
  for (const name of ["vendor/x.tgz", "node_modules/x.tgz"]) writeFileSync(join(folder, name), "");

  it.each([
    ["1.0.0", "file:vendor/x.tgz"],
    ["^1.0.0", "file:./vendor/x.tgz"],
    ["npm:other@1.0.0", "./vendor/x.tgz"],
    ["git+https://git.example.org/x.git", "file:other/../vendor/x.tgz"],
    ["https://example.org/x.tgz", "link:vendor"],
    ["acme/x", "workspace:*"],
  ])("on %s or on %s is one that a runner has", (...sources) => {
    for (const x of sources) expect(missingOnRunner({ x }, folder)).toEqual([]);
  });

  it.each([
    "file:../x.tgz",
    "file:vendor/../../x.tgz",
    "file:vendor/missing.tgz",
    "file:node_modules/x.tgz",
    `file:/srv/x.tgz`,
    "file:///srv/x.tgz",
    "../x.tgz",
    "/srv/x.tgz",
    "~/x.tgz",
    "link:../x",
    "portal:../x",
  ])("on %s is named", (x) => {
    expect(missingOnRunner({ x, other: "1.0.0" }, folder)).toEqual([`x: ${x}`]);
  });
});
