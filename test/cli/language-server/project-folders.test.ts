import { chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { foreignProject, ProjectFolders } from "../../../src/cli/language-server/project-session";
import { temporaryFolder } from "../temporary-folder";

const folder = temporaryFolder();

function project(...names: readonly string[]): string {
  const made = join(folder, ...names);
  mkdirSync(made, { recursive: true });
  writeFileSync(join(made, "cdktf.json"), "{}");
  return made;
}

const shared = project("shared");
const work = join(shared, "work");
const inner = project("shared", "work", "inner");

describe("the project of a file", () => {
  const folders = new ProjectFolders([work]);

  test("is in a folder that the editor has opened", () => {
    expect(folders.of(join(inner, "src", "x.ts"))).toBe(inner);
    expect(new ProjectFolders([inner]).of(join(inner, "x.ts"))).toBe(inner);
    expect(new ProjectFolders(["/"]).of(join(inner, "x.ts"))).toBe(inner);
  });

  test.each([
    ["above it", join(work, "x.ts")],
    ["beside it, with a name that begins alike", join(project("shared", "workshop"), "x.ts")],
    ["elsewhere", join(shared, "x.ts")],
  ])("is never %s", (_, path) => {
    expect(folders.of(path)).toBeUndefined();
  });

  test("is in any of the folders, and may have a name that begins with two dots", () => {
    const odd = project("shared", "..odd");
    const both = new ProjectFolders([work, join(shared, "..odd")]);
    expect([both.of(join(odd, "x.ts")), both.of(join(inner, "x.ts"))]).toEqual([odd, inner]);
    expect(new ProjectFolders([shared]).of(join(odd, "x.ts"))).toBe(odd);
  });
});

describe("a project of another user", () => {
  /** Gives a file away, or asks as another user. */
  function giveAway(path: string): void {
    if (process.getuid?.() === 0) chownSync(path, 65_534, 65_534);
    else jest.spyOn(process, "getuid").mockReturnValue(65_533);
  }

  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each(["", "cdktf.json"])("is not run: %p belongs to another one", (name) => {
    const made = project(`foreign${name}`);
    expect(foreignProject(made)).toBeUndefined();
    giveAway(join(made, name));
    expect(foreignProject(made)).toContain(`${join(made, name)} belongs to another user`);
  });

  test("is not run through a link", () => {
    const made = join(folder, "linked");
    mkdirSync(made);
    const target = join(project("target"), "cdktf.json");
    symlinkSync(target, join(made, "cdktf.json"));
    expect(foreignProject(made)).toBeUndefined();
    giveAway(target);
    expect(foreignProject(made)).toContain("cdktf.json belongs to another user");
  });
});
