import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageSource } from "../../../src/cli/init/package-source";
import { temporaryFolder } from "../temporary-folder";

/** A folder in which npm has installed this package, as its hidden lock file says. */
function installed(entry?: object): { readonly prefix: string; readonly root: string } {
  const prefix = join(temporaryFolder(), "prefix");
  const root = join(prefix, "node_modules", "@trivet", "constructs");
  mkdirSync(root, { recursive: true });
  const lock = { packages: { "node_modules/@trivet/constructs": entry } };
  if (entry !== undefined) {
    writeFileSync(join(prefix, "node_modules", ".package-lock.json"), JSON.stringify(lock));
  }
  return { prefix, root };
}

const packageIn = (root: string) => ({
  root,
  name: "@trivet/constructs",
  version: "1.2.3",
  minimumNode: "20",
});

const sourceIn = ({ prefix, root }: ReturnType<typeof installed>) =>
  packageSource(undefined, join(prefix, "..", "new", "project"), "/", packageIn(root));

const sourceOfNamed = (name: string, workingFolder: string, project: string) =>
  packageSource(name, project, workingFolder, packageIn("/"));

describe("a project installs the trivet that created it", () => {
  it("from the same file, relative to the project", () => {
    expect(sourceIn(installed({ resolved: "file:../packages/trivet-1.2.3.tgz" }))).toBe(
      "file:../../packages/trivet-1.2.3.tgz",
    );
  });

  it.each([[{ resolved: "https://registry.example.org/trivet-1.2.3.tgz" }], [{}], [undefined]])(
    "in the same version, when it came from a registry (%j)",
    (entry) => {
      expect(sourceIn(installed(entry))).toBe("1.2.3");
    },
  );
});

describe("a named package", () => {
  it("is a file relative to the working folder", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "trivet.tgz"), "");
    const project = join(folder, "project");
    expect(sourceOfNamed("trivet.tgz", folder, project)).toBe("file:../trivet.tgz");
    expect(() => sourceOfNamed("other.tgz", folder, project)).toThrow(
      `The package ${join(folder, "other.tgz")} does not exist.`,
    );
  });

  it.each(["1.2.3", "^1.0.0", "https://example.org/trivet-1.2.3.tgz"])(
    "is %s, which npm understands",
    (name) => {
      expect(sourceOfNamed(name, "/", "/project")).toBe(name);
    },
  );
});
