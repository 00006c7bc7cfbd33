import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectedOrigin, originHere, refuseOtherOrigin } from "../../../src/cli/deploy/plan-origin";
import { temporaryFolder } from "../temporary-folder";

const terraform = { version: () => Promise.resolve("Terraform 1.11.4") };

/** A repository with a commit. */
class Repository {
  readonly folder = temporaryFolder();

  constructor() {
    this.git("init", "-q");
    for (const name of ["user.name", "user.email"]) this.git("config", name, "x@example.org");
    this.write("app.js", "one");
    this.git("add", "app.js");
    this.git("commit", "-qm", "one");
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  git(...args: readonly string[]): string {
    return execFileSync("git", args, { cwd: this.folder, encoding: "utf8" }).trim();
  }

  get tree(): string {
    return this.git("rev-parse", "HEAD^{tree}");
  }

  origin() {
    return originHere(this.folder, terraform);
  }

  expected(tree?: string) {
    return expectedOrigin(this.folder, terraform, tree);
  }
}

describe("what plans are made from", () => {
  it("is the tree of the commit, if no file of it has been changed since", async () => {
    const repository = new Repository();
    const { tree } = repository;
    repository.write("plan.md", "not committed");
    expect(await repository.origin()).toMatchObject({ tree, terraform: "Terraform 1.11.4" });
    repository.write("app.js", "two");
    expect(await repository.origin()).toMatchObject({ tree: "" });
    repository.git("add", "app.js");
    expect(await repository.origin()).toMatchObject({ tree: "" });
    repository.git("commit", "-qm", "two");
    expect((await repository.origin()).tree).toBe(repository.tree);
    expect(repository.tree).not.toBe(tree);
    rmSync(join(repository.folder, "app.js"));
    expect(await repository.origin()).toMatchObject({ tree: "" });
  });

  it("is not known outside of a repository", async () => {
    expect(await originHere(temporaryFolder(), terraform)).toMatchObject({
      tree: "",
      repository: "",
    });
  });

  it.each([
    ["https://git.example.org/acme/stacks", "git.example.org/acme/stacks"],
    ["https://git.example.org/acme/stacks.git/", "git.example.org/acme/stacks"],
    ["https://ci:secret@git.example.org:8443/acme/stacks.git", "git.example.org/acme/stacks"],
    ["https://ci:secret@secret@git.example.org/acme/stacks", "git.example.org/acme/stacks"],
    ["https://ci:secret/secret@git.example.org/acme/stacks", ""],
    ["https://git.example.org/acme/stacks?token=secret", ""],
    ["git@git.example.org:acme/group/stacks.git", "git.example.org/acme/group/stacks"],
    ["ssh://git@git.example.org:22/acme/stacks", "git.example.org/acme/stacks"],
    ["/srv/git/stacks.git", ""],
  ])("names the repository %s without what could be a secret", async (url, repository) => {
    const here = new Repository();
    here.git("remote", "add", "origin", url);
    expect(await here.origin()).toMatchObject({ repository });
  });
});

describe("plans are refused", () => {
  const saved = {
    tree: "a".repeat(40),
    repository: "git.example.org/acme/stacks",
    terraform: "Terraform 1.11.4",
    trivet: "0.1.0",
  };
  it.each([
    [{ tree: "b".repeat(40) }, `their tree is "${saved.tree}", but must be "${"b".repeat(40)}"`],
    [{ repository: "git.example.org/acme/other" }, "their repository is"],
    [{ repository: "" }, 'their repository is "git.example.org/acme/stacks", but must be unknown'],
    [{ terraform: "Terraform 1.11.5" }, "their program is"],
    [{ trivet: "0.1.1" }, "their version of trivet is"],
  ])("if %j is expected", (other, message) => {
    const refusal = () => {
      refuseOtherOrigin("plans", saved, { ...saved, ...other });
    };
    expect(refusal).toThrow(message);
    expect(refusal).toThrow(expect.objectContaining({ exitCode: 3 }) as Error);
  });

  it.each(["tree", "repository", "terraform", "trivet"])("if they do not say the %s", (name) => {
    for (const value of [undefined, null, "", 7, [saved.tree]]) {
      expect(() => {
        refuseOtherOrigin("plans", { ...saved, [name]: value }, saved);
      }).toThrow("have another origin");
    }
  });

  it("for another version also without --tree, and then for nothing else", async () => {
    const { trivet, ...expected } = await new Repository().expected();
    expect(expected).toEqual({ terraform: "Terraform 1.11.4" });
    refuseOtherOrigin("plans", { ...saved, trivet }, { trivet, ...expected });
    refuseOtherOrigin("plans", { trivet, ...expected }, { trivet, ...expected });
  });

  it("for other code, after which the same code is accepted again", async () => {
    const repository = new Repository();
    const { tree } = repository;
    const before = await repository.origin();
    refuseOtherOrigin("plans", { ...before }, await repository.expected(tree));
    repository.write("app.js", "two");
    const changed = await repository.origin();
    repository.git("commit", "-qam", "two");
    const expected = await repository.expected(repository.tree);
    for (const other of [before, changed]) {
      expect(() => {
        refuseOtherOrigin("plans", { ...other }, expected);
      }).toThrow("their tree is");
    }
  });

  it.each(["", "HEAD", "abc123", "A".repeat(40), "a".repeat(41), `${"a".repeat(40)}\n`])(
    "with an invalid hash: %j",
    async (tree) => {
      await expect(new Repository().expected(tree)).rejects.toMatchObject({
        message: expect.stringContaining("--tree must be the full hash of a tree") as string,
        exitCode: 2,
      });
    },
  );
});
