import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import type { LocalSigning } from "../../../src/local/signing/start-local-signing";
import { openServices } from "../../local/signing/local-services";
import { StackFixture } from "../deploy/stack-fixture";
import { startHttp } from "../deploy/state-services";
import { temporaryFolder } from "../temporary-folder";
import { ProjectFixture } from "./project-fixture";

const run = promisify(execFile);
const trivet = new ProjectFixture("init");

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
  const args = ["--ci", service, "--package", "0.1.0"];
  const { code } = await trivet.run(["init", "ids", service, ...args]);
  expect(code).toBe(0);
  return parse(trivet.read(service, file)) as Pipeline;
}

const project = "https://git.invalid/acme/stacks";
const workflows = {
  github: `${project}/.github/workflows/stacks.yml@refs/pull/7/merge`,
  gitlab: `${project}//.gitlab-ci.yml@refs/heads/change`,
} as const;

/** A pull or merge request: its own commit, and what it would be merged to. */
interface Proposal {
  readonly head: string;
  readonly merged: string;
}

/**
 * A repository with a stack, and in place of the programs that need a service: `npm`, which does nothing, `npx`, which
 * runs this trivet, `gh` and `curl`, which answer from the fields of `forge`.
 */
class Repository {
  readonly stack = new StackFixture();
  readonly store = temporaryFolder();
  readonly forge: Record<"pulls" | "runs" | "requests" | "pipelines", object[]> = {
    pulls: [],
    runs: [],
    requests: [],
    pipelines: [],
  };
  readonly #bin = temporaryFolder();
  readonly #keys = temporaryFolder();
  #backend: object = {};
  #env: NodeJS.ProcessEnv = {};
  #issueToken: LocalSigning["issueToken"] = () => "";

  async prepare(): Promise<void> {
    const { store, stack } = this;
    const main = join(stack.root, "dist", "src", "cli", "main.js");
    const services = await openServices();
    const { addresses, files, environment } = services;
    this.#issueToken = (token) => services.issueToken(token);
    const forge = `exec '${process.execPath}' '${join(__dirname, "forge.mjs")}'`;
    const issuers = "https://token.actions.githubusercontent.com|https://git.invalid";
    const programs = {
      npm: "",
      npx: `test "$1 $2" = "--no trivet" || exit 9
        shift 2
        for each; do
          shift
          case "$each" in ${issuers}) each=${addresses.tokenIssuer};; esac
          set -- "$@" "$each"
        done
        exec '${process.execPath}' '${main}' "$@"`,
      gh: `${forge} gh '${store}' "$@"`,
      curl: `${forge} curl '${store}' "$@"`,
    };
    for (const [name, body] of Object.entries(programs)) {
      writeFileSync(join(this.#bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    }
    this.#backend = (await startHttp()).backend("one");
    this.#env = {
      ...environment,
      TRIVET_SIGNING_CONFIG: files.signingConfig,
      HOME: stack.home,
      TMPDIR: stack.home,
      PATH: [this.#bin, process.env["PATH"]].join(delimiter),
      GITHUB_SERVER_URL: "https://git.invalid",
      GITHUB_REPOSITORY: "acme/stacks",
      GITHUB_REF_NAME: "main",
      GITHUB_OUTPUT: join(store, "outputs"),
      GITHUB_STEP_SUMMARY: join(store, "summary"),
      CI_API_V4_URL: "https://git.invalid/api/v4",
      CI_PROJECT_ID: "7",
      CI_PROJECT_URL: project,
      CI_SERVER_URL: "https://git.invalid",
      CI_DEFAULT_BRANCH: "main",
      PLAN_TOKEN: "token",
    };
    this.write("a");
    await this
      .shell(`git init -qb main && git config user.name x && git config user.email x@example.org
      git remote add origin "$PWD" && git config uploadpack.allowAnySHA1InWant true
      printf '%s\\n' plans 'plans.cms*' plan.md node_modules cdktf.out dist package.json packages > .git/info/exclude
      for name in plans other; do
        openssl req -x509 -newkey rsa:3072 -nodes -subj /CN=plans -days 3650 \
          -keyout '${this.#keys}'/$name.key -out '${this.#keys}'/$name.pem 2>/dev/null
      done
      cp '${this.#keys}/plans.pem' . && git add app.js cdktf.json plans.pem && git commit -qm one`);
  }

  /** A private key in PEM. Only that of the repository can decrypt. */
  key(name: "plans" | "other" = "plans"): string {
    return join(this.#keys, `${name}.key`);
  }

  write(input: string): void {
    const terraform = { backend: this.#backend };
    this.stack.write({ one: { terraform, resource: { terraform_data: { x: { input } } } } });
  }

  /** Proposes a change of the stack's input, for `main` or another branch. */
  async propose(input: string, into = "main"): Promise<Proposal> {
    await this.shell(`git checkout -qfB ${input} main`);
    this.write(input);
    return await this.proposed(
      `git commit -qam ${input}; git checkout -qf --detach ${into}`,
      input,
    );
  }

  async proposed(script: string, branch: string): Promise<Proposal> {
    const { stdout } = await this.shell(
      `${script}; git merge -q --no-ff -m merge ${branch}; git rev-parse ${branch} HEAD`,
    );
    const [head = "", merged = ""] = stdout.trim().split("\n").slice(-2);
    return { head, merged };
  }

  /** Merges a proposal into main. */
  async merge({ head, merged }: Proposal): Promise<void> {
    const { stdout } = await this.shell(
      `git checkout -qf main; git reset -q --hard $(git commit-tree -p main -m merged ${merged}^{tree}); git rev-parse HEAD`,
    );
    const sha = stdout.trim();
    this.#env = { ...this.#env, GITHUB_SHA: sha, CI_COMMIT_SHA: sha };
    this.forge.pulls = [
      { merged_at: "now", merge_commit_sha: sha, base: { ref: "main" }, head: { sha: head } },
    ];
    this.forge.requests = [
      { iid: 7, state: "merged", target_branch: "main", merge_commit_sha: sha },
    ];
  }

  /** The token of a job that runs for a commit. */
  token(
    service: keyof typeof workflows,
    sha: string,
    changed: { subject?: string; event?: string } = {},
  ) {
    const events = { github: "pull_request", gitlab: "merge_request_event" } as const;
    const { subject = workflows[service], event: event_name = events[service] } = changed;
    const workflow = { repository: "acme/stacks", sha, event_name };
    return this.#issueToken({ subject, workflow });
  }

  /** Keeps what a job has uploaded. */
  upload(run: number): void {
    mkdirSync(join(this.store, `run-${run}`), { recursive: true });
    for (const name of uploaded) {
      cpSync(join(this.stack.root, name), join(this.store, `run-${run}`, name));
    }
  }

  async shell(script: string, env: NodeJS.ProcessEnv = {}) {
    writeFileSync(join(this.store, "forge.json"), JSON.stringify(this.forge));
    return await run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      cwd: this.stack.root,
      env: { ...this.#env, ...env },
    });
  }
}

const uploaded = ["plans.cms", "plans.cms.sigstore.json"];
const planned = "### Plan: 1 to add";
const clean = `rm -rf plans ${uploaded.join(" ")} cdktf.out/stacks/one/*.json`;

/** The jobs of a service, as its file has them, and what attackers can do. */
interface Trial {
  readonly repository: Repository;
  readonly plan: (at: string, token: string, run: number) => Promise<void>;
  readonly deploy: (key?: string) => Promise<string>;
  /** Names a run as one of the merged proposal; newer ones come last. */
  readonly list: (id: number, proposal: Proposal, changed?: object) => void;
}

/** What both services do, each in its way of running a job and of giving it a key. */
function jobsOf(
  repository: Repository,
  runs: (job: string, env: NodeJS.ProcessEnv) => Promise<string>,
  given: (key: string) => string,
): Pick<Trial, "repository" | "plan" | "deploy"> {
  return {
    repository,
    plan: async (at, token, run) => {
      await repository.shell(`${clean}; git checkout -qf ${at}`);
      await runs("plan", { SIGSTORE_ID_TOKEN: token });
      repository.upload(run);
    },
    deploy: async (key = repository.key()) => {
      await repository.shell(`${clean}; git checkout -qf main`);
      return await runs("deploy", { PLAN_KEY: given(key) });
    },
  };
}

async function github(): Promise<Trial> {
  const { jobs } = await pipelineOf("github", ".github/workflows/stacks.yml");
  const repository = new Repository();
  await repository.prepare();
  const runs = async (job: string, env: NodeJS.ProcessEnv) => {
    let output = "";
    for (const { run: script } of jobs[job]?.steps ?? []) {
      if (script === undefined) continue;
      const outputs = join(repository.store, "outputs");
      const written = existsSync(outputs) ? readFileSync(outputs, "utf8") : "";
      const TREE = /tree=(\w+)\n$/.exec(written)?.[1];
      output += (await repository.shell(script, { ...env, TREE })).stdout;
    }
    return output;
  };
  return {
    ...jobsOf(repository, runs, (key) => readFileSync(key, "utf8")),
    list: (id, { head }, changed = {}) => {
      const head_repository = { full_name: "acme/stacks" };
      const event = "pull_request";
      const run_number = repository.forge.runs.length;
      const entry = { id, event, head_sha: head, head_repository, run_number, ...changed };
      repository.forge.runs.push(entry);
    },
  };
}

async function gitlab(): Promise<Trial> {
  const pipeline = await pipelineOf("gitlab", ".gitlab-ci.yml");
  const repository = new Repository();
  await repository.prepare();
  const runs = async (job: string, env: NodeJS.ProcessEnv) =>
    (await repository.shell((pipeline[job]?.script ?? []).join("\n"), env)).stdout;
  return {
    ...jobsOf(repository, runs, (key) => key),
    list: (id, { merged }, changed = {}) => {
      const source = "merge_request_event";
      const entry = { id, project_id: 7, sha: merged, source, status: "success", ...changed };
      repository.forge.pipelines.push(entry);
    },
  };
}

/** How each service opens, and a run of a fork in it. */
const services = {
  github: { open: github, fork: { head_repository: { full_name: "mallory/stacks" } } },
  gitlab: { open: gitlab, fork: { project_id: 8 } },
} as const;

/** Tries that the pipeline applies the reviewed plan, and no other. */
export async function tryPipeline(service: keyof typeof services): Promise<void> {
  const { open, fork } = services[service];
  const { repository, plan, deploy, list } = await open();
  const { store, forge } = repository;
  /** Takes away what was listed, and expects that nothing is deployed. */
  const refused = async (message: RegExp, key?: string) => {
    const failure: unknown = await deploy(key).catch((error: unknown) => error);
    const { stdout = "", stderr = "" } = failure as { stdout?: string; stderr?: string };
    expect(stdout + stderr).toMatch(message);
    expect(stdout).not.toContain("one: deployed");
    forge.runs = [];
    forge.pipelines = [];
  };
  const copy = (from: number, to: number, names = uploaded) => {
    mkdirSync(join(store, `run-${to}`), { recursive: true });
    for (const name of names) {
      cpSync(join(store, `run-${from}`, name), join(store, `run-${to}`, name));
    }
  };
  const reviewed = await repository.propose("reviewed");
  const evil = await repository.propose("evil");
  // The commits of the reviewed proposal, in a request for a branch of the attacker.
  const elsewhere = await repository.proposed(
    "git checkout -qfB base main; echo >evil; git add evil; git commit -qm base",
    "reviewed",
  );
  await plan(reviewed.merged, repository.token(service, reviewed.merged), 1);
  await plan(evil.merged, repository.token(service, evil.merged), 2);
  const comment = join(store, "comment.md");
  if (service === "github") expect(readFileSync(comment, "utf8")).toContain(planned);
  await repository.shell("git checkout -qf main");
  await refused(/was not merged with a (pull|merge) request/);
  await repository.merge(reviewed);
  await refused(/was not planned/);

  // The plan of an unreviewed request, under the name of the reviewed one.
  list(2, reviewed);
  await refused(/was signed for another commit|No plan was made for exactly this code/);
  // The same with the signature of the reviewed one.
  copy(2, 3, ["plans.cms"]);
  copy(1, 3, ["plans.cms.sigstore.json"]);
  list(3, reviewed);
  await refused(/was not signed by/);
  // A run of a request into another branch, whose commits are the reviewed ones.
  await plan(evil.merged, repository.token(service, elsewhere.merged), 4);
  list(4, { ...elsewhere, head: reviewed.head });
  await refused(/No plan was made for exactly this code/);
  // Another workflow, another event.
  const others = [
    { subject: workflows[service].replace(/[^/]+@/, "other.yml@") },
    { subject: `${workflows[service].split("@")[0] ?? ""}.yml@refs/heads/main` },
    { event: "push" },
  ];
  for (const other of others) {
    copy(2, 5);
    await repository.shell(
      `cp ${store}/run-5/plans.cms . && npx --no trivet signing sign-file plans.cms`,
      { SIGSTORE_ID_TOKEN: repository.token(service, reviewed.merged, other) },
    );
    repository.upload(5);
    list(5, reviewed);
    await refused(/was not signed by/);
  }
  // A fork, whose run has the same name.
  list(1, reviewed, fork);
  await refused(/was not planned/);
  // A plan that the right job has signed says itself what it is for.
  await plan(evil.merged, repository.token(service, reviewed.merged), 6);
  list(6, reviewed);
  await refused(/have another origin: their tree is/);
  // Not the environment `production`.
  list(1, reviewed);
  await refused(
    /Error decrypting CMS|bad decrypt|not in gzip|does not look like a tar/i,
    repository.key("other"),
  );

  list(1, reviewed);
  expect(await deploy()).toContain("one: deployed");
  await expect(deploy()).rejects.toThrow(/Saved plan is stale/);
  // Other changes are merged first.
  await repository.merge(await repository.propose("more"));
  list(1, reviewed);
  await refused(/No plan was made for exactly this code|was not planned/);
}
