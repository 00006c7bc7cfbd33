import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../until";
import { WorkspacePage } from "./support/workspace-page";

const busy = "Another build is already running with the state";

/** A template that creates one resource at once, and a second one when the test wants it to. */
class SlowBuild {
  readonly #folder = mkdtempSync(join(tmpdir(), "trivet-e2e-page-"));
  readonly #log = join(this.#folder, "log");
  readonly #gate = join(this.#folder, "gate");
  readonly page = new WorkspacePage(`
resource "workspace_agent" "main" {
  os   = "linux"
  arch = "amd64"
}

resource "terraform_data" "disk" {
  provisioner "local-exec" {
    command = "echo disk >> ${this.#log}"
  }
}

resource "terraform_data" "machine" {
  input      = sha256(workspace_agent.main.token)
  depends_on = [terraform_data.disk]
  provisioner "local-exec" {
    command = "echo machine >> ${this.#log}; until [ -e ${this.#gate} ]; do sleep 0.1; done"
  }
}
`);

  /** Opens the page, starts a build, and waits until the second resource is being created. */
  async begin(): Promise<void> {
    await this.page.open();
    await this.page.start({ action: "start", workspace: "dev" });
    await until(() => this.created.includes("machine"));
  }

  /** Lets the second resource be created. */
  release(): void {
    writeFileSync(this.#gate, "");
  }

  /** What was created, in order. */
  get created(): readonly string[] {
    return existsSync(this.#log) ? readFileSync(this.#log, "utf8").trim().split("\n") : [];
  }

  /** The process that builds, from the lock. */
  get terraform(): number {
    const [, line = ""] = readFileSync(this.#lock, "utf8").split("\n");
    return Number.parseInt(line, 10);
  }

  get #lock(): string {
    return join(this.page.stateFolder, "lock");
  }

  /** Builds again until no other build is running, and expects that everything exists once. */
  async expectBuilt(): Promise<void> {
    let end = await this.#build();
    while (JSON.stringify(end).includes(busy)) end = await this.#build();
    expect(end).toMatchObject({ outcome: "done" });
    expect(this.created.filter((one) => one === "disk")).toEqual(["disk"]);
    const file = join(this.page.stateFolder, "workspaces", "dev", "terraform.tfstate");
    const { resources } = JSON.parse(readFileSync(file, "utf8")) as {
      resources: { name: string; instances: { status?: string; deposed?: string }[] }[];
    };
    expect(resources.map(({ name, instances }) => [name, instances.length]).sort()).toEqual([
      ["disk", 1],
      ["machine", 1],
      ["main", 1],
    ]);
    expect(resources.flatMap(({ instances }) => instances)).not.toContainEqual(
      expect.objectContaining({ status: expect.anything() as string }),
    );
    expect(existsSync(this.#lock)).toBe(false);
    expect(existsSync(join(file, "..", "work"))).toBe(false);
  }

  async #build() {
    await this.page.start({ action: "start", workspace: "dev" });
    return await this.page.finished();
  }

  async end(): Promise<void> {
    this.release();
    expect(await this.page.close()).toMatchObject({ code: 0 });
    expect(await this.page.workspace.outliving()).toEqual([]);
    this.page.workspace.remove();
    rmSync(this.#folder, { recursive: true });
  }
}

describe("after a build of the page is interrupted", () => {
  let build: SlowBuild;

  beforeEach(async () => {
    build = new SlowBuild();
    await build.begin();
  });

  afterEach(() => build.end());

  it("by its button, the workspace can be built again", async () => {
    await build.page.interrupt();
    build.release();
    expect(await build.page.finished()).toMatchObject({
      outcome: "interrupted",
      cure: "The changes so far are saved. The next build continues from there.",
    });
    await build.expectBuilt();
  });

  it("by Ctrl-C, the server ends with the build, and the workspace can be built again", async () => {
    const ended = build.page.close("SIGINT");
    build.release();
    expect(await ended).toMatchObject({ code: 130 });
    expect(existsSync(join(build.page.stateFolder, "lock"))).toBe(false);
    await build.page.open();
    await build.expectBuilt();
  });

  it("because Terraform was killed, the workspace can be built again", async () => {
    process.kill(build.terraform, "SIGKILL");
    expect(await build.page.finished()).toMatchObject({ outcome: "failed" });
    build.release();
    await build.expectBuilt();
  });

  it("because the server was killed, no build starts until Terraform has ended", async () => {
    await build.page.close("SIGKILL");
    await build.page.open();
    await build.page.start({ action: "start", workspace: "dev" });
    expect(await build.page.finished()).toMatchObject({
      outcome: "failed",
      message: expect.stringContaining(busy) as string,
    });
    build.release();
    await build.expectBuilt();
  });

  it("because both were killed, the workspace can be built again", async () => {
    const { terraform } = build;
    await build.page.close("SIGKILL");
    process.kill(terraform, "SIGKILL");
    build.release();
    await build.page.open();
    await build.expectBuilt();
  });
});
