import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { onPath, skippedWithout } from "../../on-path";
import { StackFixture } from "../deploy/stack-fixture";
import { startHttp } from "../deploy/state-services";
import { temporaryFolder } from "../temporary-folder";
import { ProjectFixture } from "./project-fixture";

const run = promisify(execFile);
const trivet = new ProjectFixture("init");
const init = (...args: readonly string[]) => trivet.run(["init", ...args, "--package", "0.1.0"]);

interface Job {
  readonly steps: readonly {
    readonly name?: string;
    readonly run?: string;
    readonly env?: Readonly<Record<string, string>>;
  }[];
  readonly script: readonly string[];
  readonly before_script: readonly string[];
}

type Pipeline = Readonly<Record<string, Job>> & { readonly jobs: Readonly<Record<string, Job>> };

async function pipelineOf(service: "github" | "gitlab", file: string): Promise<Pipeline> {
  const { code } = await init("ids", service, "--ci", service);
  expect(code).toBe(0);
  return parse(trivet.read(service, file)) as Pipeline;
}

/**
 * A repository with a stack, and in place of the programs that need a service: `npm`, which does nothing, `npx`, which
 * runs this trivet, `gh` and `curl`, which keep what is uploaded in a folder.
 */
class Repository {
  readonly stack = new StackFixture();
  readonly store = temporaryFolder();
  readonly #bin = temporaryFolder();
  #env: NodeJS.ProcessEnv = {};

  async prepare(): Promise<void> {
    const { store, stack } = this;
    const main = join(stack.root, "dist", "src", "cli", "main.js");
    const found = `test -e '${store}'/"$1" && echo 7 || true`;
    const programs = {
      npm: "",
      npx: `shift\nexec '${process.execPath}' '${main}' "$@"`,
      gh: `case "$1 $2" in
        "pr comment") cp plan.md '${store}/comment.md';;
        "run download") cp '${store}'/"$7" plans.gpg;;
        api*) set -- "\${2##*name=}"; ${found};;
      esac`,
      curl: `for last; do :; done; name=$(basename "$(dirname "$last")")
        case " $* " in
          *" --upload-file "*) cp plans.gpg '${store}'/"plans-$name";;
          *" --output plans.gpg "*) cp '${store}'/"plans-$name" plans.gpg;;
        esac`,
    };
    for (const [name, body] of Object.entries(programs)) {
      writeFileSync(join(this.#bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    }
    const { backend } = await startHttp();
    this.write(backend, "a");
    this.#env = {
      HOME: stack.home,
      TMPDIR: stack.home,
      PATH: [this.#bin, process.env["PATH"]].join(delimiter),
      PLAN_PASSPHRASE: "of the test",
      GITHUB_REPOSITORY: "acme/stacks",
      GITHUB_OUTPUT: join(store, "outputs"),
      GITHUB_STEP_SUMMARY: join(store, "summary"),
      CI_API_V4_URL: "https://gitlab.invalid/api/v4",
      CI_PROJECT_ID: "7",
      CI_JOB_TOKEN: "token",
    };
    await this.shell("git init -q && git add app.js cdktf.json && git commit -qm one");
  }

  write(backend: object, input: string): void {
    this.stack.write({
      one: { terraform: { backend }, resource: { terraform_data: { x: { input } } } },
    });
  }

  async shell(script: string, env: NodeJS.ProcessEnv = {}) {
    const git = ["user.name", "user.email"].map((name) => `git config ${name} x@example.org`);
    const all = `${script.startsWith("git init") ? `git init -q\n${git.join("\n")}\n` : ""}${script}`;
    return await run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", all], {
      cwd: this.stack.root,
      env: { ...this.#env, ...env },
    });
  }

  /** The tree of the current commit. */
  async tree(): Promise<string> {
    return (await this.shell("git rev-parse 'HEAD^{tree}'")).stdout.trim();
  }
}

const planned = "### Plan: 1 to add";

describe("the pipeline of `trivet init --ci`", () => {
  it("of GitHub applies exactly the plan of the pull request, which nobody else can read or make", async () => {
    const { jobs } = await pipelineOf("github", ".github/workflows/stacks.yml");
    const repository = new Repository();
    await repository.prepare();
    const runs = async (job: string) => {
      for (const step of jobs[job]?.steps ?? []) {
        if (step.run !== undefined) await repository.shell(step.run);
        // The workflow uploads it with an action.
        if (step.name !== "Encrypt the plan") continue;
        const [, tree = ""] =
          /tree=(\w+)/.exec(readFileSync(join(repository.store, "outputs"), "utf8")) ?? [];
        cpSync(join(repository.stack.root, "plans.gpg"), join(repository.store, `plans-${tree}`));
      }
    };
    await expect(runs("deploy")).rejects.toThrow(/No plan was made for exactly this code/);
    await runs("plan");
    expect(readFileSync(join(repository.store, "comment.md"), "utf8")).toContain(planned);
    expect(readFileSync(join(repository.store, "summary"), "utf8")).toContain(planned);
    await repository.shell("rm -r plans plans.gpg cdktf.out");
    await runs("deploy");
    expect((await repository.stack.run(["plan"])).stdout).toContain("one: no changes");

    // Somebody who does not know the passphrase puts another plan in its place.
    const forged = "tar --create plans | gpg --batch --symmetric --passphrase x --output - >forged";
    await repository.shell(forged);
    cpSync(
      join(repository.stack.root, "forged"),
      join(repository.store, `plans-${await repository.tree()}`),
    );
    await repository.shell("rm -r plans plans.gpg");
    await expect(runs("deploy")).rejects.toThrow(/decryption failed/);
    expect(existsSync(join(repository.stack.root, "plans"))).toBe(false);
  });

  it("of GitLab does the same", async () => {
    const pipeline = await pipelineOf("gitlab", ".gitlab-ci.yml");
    const repository = new Repository();
    await repository.prepare();
    const naming = pipeline[".terraform"]?.before_script.slice(-2) ?? [];
    const runs = (job: string) =>
      repository.shell([...naming, ...(pipeline[job]?.script ?? [])].join("\n"));
    await expect(runs("deploy")).rejects.toThrow(/No plan was made for exactly this code/);
    expect((await runs("plan")).stdout).toContain(planned);
    await repository.shell("rm -r plans plans.gpg cdktf.out");
    expect((await runs("deploy")).stdout).toContain("one: deployed");

    await repository.shell("git commit -q --allow-empty -m same && rm -r plans");
    // The same code has the same plan, which was applied.
    await expect(runs("deploy")).rejects.toThrow(/Saved plan is stale/);
    await repository.shell("echo >other && git add other && git commit -qm other");
    await expect(runs("deploy")).rejects.toThrow(/No plan was made for exactly this code/);
  });

  it("names the stacks of a project of all kinds that are deployed", async () => {
    await init("all", "all", "--ci", "github");
    const text = trivet.read("all/.github/workflows/stacks.yml");
    expect(text).toContain("npx @trivet/constructs plan watch image --out plans");
    expect(trivet.read("all/README.md")).toContain("## Pipeline");
    expect(JSON.parse(trivet.read("all/renovate.json"))).toMatchObject({
      packageRules: [{ groupName: "trivet" }],
    });
  });

  it("is refused for a template, and added alone to a project that exists", async () => {
    const refused = await init("template", "template", "--ci", "github");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("a template is pushed to a platform, not deployed");

    mkdirSync(join(trivet.root, "cdktf-project"));
    writeFileSync(join(trivet.root, "cdktf-project", "cdktf.json"), "{}");
    const inside = await run(
      process.execPath,
      [join(trivet.root, "dist/src/cli/main.js"), "init", "--ci", "gitlab", "--package", "0.1.0"],
      { cwd: join(trivet.root, "cdktf-project") },
    );
    expect(inside.stdout).toContain(".gitlab-ci.yml");
    expect(trivet.files("cdktf-project")).toEqual([
      ".gitlab-ci.yml",
      "cdktf.json",
      "renovate.json",
    ]);
  });
});

const actionlint = onPath("actionlint");
skippedWithout(actionlint === undefined ? ["actionlint"] : [], "the workflow is not linted");

(actionlint === undefined ? describe.skip : describe)("actionlint", () => {
  it.each(["ids", "all"])("accepts the workflow of a project for %s", async (kind) => {
    await init(kind, `lint-${kind}`, "--ci", "github");
    const file = join(trivet.root, `lint-${kind}`, ".github", "workflows", "stacks.yml");
    expect((await run(actionlint ?? "", [file])).stdout).toBe("");
  });
});
