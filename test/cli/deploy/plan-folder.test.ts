import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { PlanFolder } from "../../../src/cli/deploy/plan-folder";
import { readManifest } from "../../../src/cli/synthesis/manifest";
import { temporaryFolder } from "../temporary-folder";

const origin = { trivet: "0.1.0", terraform: "Terraform 1.11.4" };

/** A project with a synthesized stack. */
class Saved {
  readonly root = temporaryFolder();
  readonly plans = join(this.root, "plans");
  readonly #project = {
    folder: this.root,
    app: "true",
    output: "cdktf.out",
    context: undefined,
    relativeModules: [],
  };
  readonly folder = new PlanFolder("plans", this.#project, origin);

  constructor() {
    const entry = { name: "one", workingDirectory: "stacks/one", synthesizedStackPath: "x" };
    this.write("cdktf.out/manifest.json", JSON.stringify({ stacks: { one: entry } }));
    this.write("cdktf.out/stacks/one/cdk.tf.json", "{}");
    this.write("cdktf.out/stacks/one/modules/a/main.tf", "");
    this.write("cdktf.out/stacks/one/.terraform/installed", "");
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.root, name), "utf8");
  }

  files(name: string): readonly string[] {
    const found = readdirSync(join(this.root, name), { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.root.length + 1))
      .sort();
  }

  link(name: string, target: string): void {
    rmSync(join(this.root, name), { recursive: true, force: true });
    symlinkSync(target, join(this.root, name));
  }

  async save(outcome: "planned" | "failed" = "planned"): Promise<this> {
    const stacks = await readManifest(this.#project);
    await this.folder.begin(stacks);
    await this.folder.end(stacks, [{ name: "one", outcome, diagnostics: [] }]);
    return this;
  }
}

const saved = () => new Saved().save();

describe("saved plans", () => {
  it("are put back as they were, in place of what is there", async () => {
    const project = await saved();
    const copied = [
      "plans/.gitignore",
      "plans/manifest.json",
      "plans/stacks/one/cdk.tf.json",
      "plans/stacks/one/modules/a/main.tf",
      "plans/stacks/one/trivet.tfplan",
      "plans/trivet-plans.json",
    ];
    expect(project.files("plans")).toEqual(copied);
    project.write("cdktf.out/stacks/one/other.tf", "");
    project.write("cdktf.out/stacks/one/cdk.tf.json", '{"changed": true}');
    project.write("plans/stacks/one/added.tf", "");
    expect(await project.folder.restore()).toMatchObject([{ name: "one" }]);
    expect(project.files("cdktf.out")).toEqual([
      "cdktf.out/manifest.json",
      "cdktf.out/stacks/one/.terraform/installed",
      "cdktf.out/stacks/one/cdk.tf.json",
      "cdktf.out/stacks/one/modules/a/main.tf",
    ]);
    expect(project.read("cdktf.out/stacks/one/cdk.tf.json")).toBe("{}");
  });

  it("are removed if a stack was not planned", async () => {
    const project = await (await saved()).save("failed");
    expect(readdirSync(project.plans)).toEqual([]);
    await expect(project.folder.restore()).rejects.toThrow("does not contain complete plans");
    await project.save();
    rmSync(join(project.plans, "stacks", "one", "trivet.tfplan"));
    await expect(project.folder.restore()).rejects.toThrow("does not contain complete plans");
  });
});

describe("a link", () => {
  it.each(["cdktf.out", "cdktf.out/stacks", "cdktf.out/stacks/one"])(
    "at %s is not followed: what it points to stays",
    async (name) => {
      const project = await saved();
      const victim = temporaryFolder();
      const files = ["file", "manifest.json", "stacks/file", "stacks/one/file"];
      mkdirSync(join(victim, "stacks", "one"), { recursive: true });
      for (const file of files) writeFileSync(join(victim, file), "mine");
      project.link(name, victim);
      const problem = `${join(project.root, name)} is a link.`;
      await expect(project.folder.restore()).rejects.toThrow(problem);
      for (const file of files) expect(readFileSync(join(victim, file), "utf8")).toBe("mine");
    },
  );

  it.each(["manifest.json", "stacks/one/cdk.tf.json", "stacks/one/modules"])(
    "at %s in the output is replaced, and not what it points to",
    async (name) => {
      const project = await saved();
      project.write("victim/a/main.tf", "mine");
      project.write("victim/file", "mine");
      project.link(`cdktf.out/${name}`, join(project.root, "victim", "file"));
      await project.folder.restore();
      expect(project.read("victim/file")).toBe("mine");
      project.link(`cdktf.out/${name}`, join(project.root, "victim"));
      await project.folder.restore();
      expect(project.read("victim/a/main.tf")).toBe("mine");
      expect(project.files("plans")).toHaveLength(6);
    },
  );

  const own = ["stacks", "stacks/one", "stacks/one/trivet.tfplan", "manifest.json", "."];
  it.each([...own, "stacks/one/cdk.tf.json", "trivet-plans.json"])(
    "at %s in the saved plans is followed neither then nor when others are saved",
    async (name) => {
      const project = await saved();
      const moved = join(temporaryFolder(), "moved");
      renameSync(join(project.plans, name), moved);
      symlinkSync(moved, join(project.plans, name));
      const problem = `${join(project.plans, name)} is a link.`;
      await expect(project.folder.restore()).rejects.toThrow(problem);
      await expect(project.save()).rejects.toThrow(problem);
      expect(existsSync(moved)).toBe(true);
    },
  );

  it("to a folder of the machine is not copied", async () => {
    const project = await saved();
    project.link("plans/stacks/one", "/etc");
    await expect(project.folder.restore()).rejects.toThrow("is a link.");
    expect(project.files("cdktf.out")).not.toContain("cdktf.out/stacks/one/passwd");
  });

  it("is not needed: the list of saved files leads out of no folder", async () => {
    const project = await saved();
    project.write("outside", "mine");
    for (const name of [
      "stacks/one/../../../outside",
      "/outside",
      "stacks/one//x",
      "./x",
      "a\\b",
    ]) {
      project.write(
        "plans/trivet-plans.json",
        JSON.stringify({ version: 1, ...origin, files: ["stacks/one/trivet.tfplan", name] }),
      );
      await expect(project.save()).rejects.toThrow("refer to a file outside of their folder");
    }
    expect(project.read("outside")).toBe("mine");
  });
});

describe("the folder for plans", () => {
  it("becomes one that only its owner can enter", async () => {
    const project = new Saved();
    mkdirSync(project.plans);
    for (const mode of [0o777, 0o755]) {
      chmodSync(project.plans, mode);
      await project.save();
      expect(statSync(project.plans).mode & 0o777).toBe(0o700);
    }
  });

  it.each(["notes.txt", "stacks/notes.txt", "stacks/one/notes.txt"])(
    "is refused with %s in it, which stays",
    async (name) => {
      const project = await saved();
      project.write(`plans/${name}`, "mine");
      const problem = `contains other files than saved plans: ${name.split("/")[0] ?? ""}.`;
      await expect(project.save()).rejects.toThrow(problem);
      expect(project.read(`plans/${name}`)).toBe("mine");
    },
  );

  it("is refused, and keeps its mode, if it has no saved plans", async () => {
    const project = new Saved();
    project.write("plans/trivet-plans.json", '{"version":1}');
    project.write("plans/notes.txt", "mine");
    chmodSync(project.plans, 0o755);
    await expect(project.save()).rejects.toThrow(
      "plans is not empty, and contains no saved plans.",
    );
    expect(project.read("plans/notes.txt")).toBe("mine");
    expect(statSync(project.plans).mode & 0o777).toBe(0o755);
  });
});
