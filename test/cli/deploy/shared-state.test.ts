import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeAfterTest } from "../../core/http/close-after-test";
import { onPath, skippedWithout } from "../../on-path";
import { printed } from "../command-fixture";
import { StackFixture } from "./stack-fixture";
import {
  postgresFolder,
  startHttp,
  startPostgres,
  startS3,
  type StateService,
} from "./state-services";

const services = {
  http: startHttp,
  ...(postgresFolder() !== undefined && { pg: startPostgres }),
  ...(onPath("versitygw") !== undefined && { s3: () => startS3() }),
};

skippedWithout(
  [
    ...("pg" in services ? [] : ["initdb of PostgreSQL"]),
    ...("s3" in services ? [] : ["versitygw"]),
  ],
  "a state in it is not tried",
);

/** A stack whose resource is created only when a file exists. */
function waiting({ backend }: StateService, input: string, file: string) {
  const command = `until test -e '${file}'; do sleep 0.05; done`;
  const provisioner = [{ "local-exec": { command } }];
  return {
    terraform: { backend: backend("one") },
    resource: { terraform_data: { one: { input, triggers_replace: input, provisioner } } },
  };
}

/** Two copies of a project, on two machines. */
class Machines {
  readonly first = new StackFixture();
  readonly second = new StackFixture();
  readonly #service: StateService;
  readonly #go = join(this.first.root, "go");

  constructor(service: StateService) {
    this.#service = service;
    this.write("a");
    this.go();
    // A deployment that a failed test leaves behind ends, too.
    closeAfterTest(() => {
      this.go();
    });
  }

  write(input: string): void {
    for (const each of [this.first, this.second]) {
      each.write({ one: waiting(this.#service, input, this.#go) });
    }
  }

  stop(): void {
    rmSync(this.#go);
  }

  go(): void {
    writeFileSync(this.#go, "");
  }

  run(machine: StackFixture, ...args: readonly string[]) {
    return machine.run(args, this.#service.env);
  }

  start(machine: StackFixture, ...args: readonly string[]) {
    return machine.start(args, this.#service.env);
  }
}

describe.each(Object.entries(services))("a state in %s", (kind, start) => {
  it("is locked by one deployment, while another one is told so, or waits", async () => {
    const machines = new Machines(await start());
    const { first, second } = machines;
    machines.stop();
    const holding = machines.start(first, "deploy", "--auto-approve");
    await printed(holding, "(local-exec)");
    const told = await machines.run(second, "deploy", "--auto-approve");
    expect(told.code).toBe(1);
    expect(told.stderr).toContain("Error: Another run has locked the state");
    expect(told.stderr).toContain("`-- -lock-timeout=5m` at the end of the command");
    expect(told.stderr).not.toContain("-lock=false");
    const holder = /\S+@\S+ has held the lock since 20[\d:. -]+ UTC \(apply\)\./;
    // With the others, Terraform names the command that asks for the lock.
    if (kind === "s3") expect(told.stderr).toMatch(holder);
    else expect(told.stderr).not.toContain("@");
    const unlock = /`terraform force-unlock [\da-f-]{36}` in /;
    // PostgreSQL releases the locks of runs that end in any way.
    if (kind === "pg") expect(told.stderr).not.toContain("force-unlock");
    else expect(told.stderr).toMatch(unlock);

    const waiting = machines.start(
      second,
      ...["deploy", "--auto-approve", "--", "-lock-timeout=100s"],
    );
    await printed(waiting, "waiting for the lock of the state");
    machines.go();
    expect(await holding.ended).toMatchObject({ code: 0 });
    const { code, stdout } = await waiting.ended;
    expect(code).toBe(0);
    expect(stdout).toContain("one: no changes");
  });

  it("is changed by a plan of another machine, once", async () => {
    const machines = new Machines(await start());
    const { first, second } = machines;
    expect(await machines.run(first, "plan", "--out", "plans")).toMatchObject({ code: 0 });
    // The other machine does not synthesize: it has another app by now.
    machines.write("b");
    cpSync(join(first.root, "plans"), join(second.root, "plans"), { recursive: true });
    const apply = ["deploy", "--plan", "plans", "--auto-approve"] as const;
    const applied = await machines.run(second, ...apply);
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.stdout).toContain('+ input = "a"');
    expect(applied.stdout).toContain("one: deployed");

    const again = await machines.run(second, ...apply);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("Error: Saved plan is stale");
    expect(again.stderr).toContain("Save a new plan with `trivet plan --out`.");
    const current = await machines.run(first, "plan");
    expect(current.stdout).toContain('~ input = "a" → "b"');
  });
});

const resource = { terraform_data: { x: {} } };

function newStacks({ backend }: StateService, ...names: readonly string[]) {
  const entries = names.map((name) => [name, { terraform: { backend: backend(name) }, resource }]);
  return Object.fromEntries(entries) as Record<string, object>;
}

it.each(Object.entries(services))(
  "two new stacks are deployed side by side to %s",
  async (_, start) => {
    const service = await start();
    const project = new StackFixture();
    project.write(newStacks(service, "one", "two"));
    const { code, stdout, stderr } = await project.run(
      ["deploy", "*", "--auto-approve"],
      service.env,
    );
    expect(stderr).toBe("");
    expect(stdout).toMatch(/one *.*: deployed/);
    expect(stdout).toMatch(/two *.*: deployed/);
    expect(code).toBe(0);
  },
);

(postgresFolder() === undefined ? it.skip : it)(
  "a new stack waits while PostgreSQL creates the state of another one",
  async () => {
    const service = await startPostgres();
    const project = new StackFixture();
    project.write(newStacks(service, "one"));
    // As Terraform does while it creates a state.
    const release = await service.hold(-1);
    const running = project.start(["deploy", "--auto-approve"], service.env);
    await printed(running, "the state of another stack is being created");
    release();
    expect(await running.ended).toMatchObject({ code: 0 });
  },
);

describe("a backend that is not only a state", () => {
  const project = new StackFixture();

  it.each(["remote", "cloud"])("is refused if it is %s", async (kind) => {
    const settings = { organization: "acme", workspaces: { name: "one" } };
    const terraform =
      kind === "cloud" ? { cloud: settings, backend: {} } : { backend: { remote: settings } };
    project.write({ one: { terraform }, two: { resource: { terraform_data: { x: {} } } } });
    const { code, stderr } = await project.run(["deploy", "*", "--auto-approve"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `one has the backend "${kind}": a service runs Terraform and keeps the plans.`,
    );
    expect(stderr).toContain("Run `trivet exec -- cdktf deploy` for this stack");
    // Nothing is done for other stacks either.
    expect(existsSync(join(project.root, "terraform.two.tfstate"))).toBe(false);
  });

  it("is told from the last one, with the folder in which to copy the state", async () => {
    project.write({ one: { resource } });
    expect(await project.run(["deploy", "--auto-approve"])).toMatchObject({ code: 0 });
    const { backend } = await startHttp();
    project.write({ one: { terraform: { backend: backend("one") }, resource } });
    const { code, stderr } = await project.run(["plan"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Backend configuration changed");
    expect(stderr).toContain(`Run it in ${join(project.root, "cdktf.out", "stacks", "one")}.`);
  });
});
