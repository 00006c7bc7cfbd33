import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  postgresFolder,
  startPostgres,
  startS3,
  type StateService,
} from "../cli/deploy/state-services";
import { onPath, skippedWithout } from "../on-path";
import { filesOfKind, guideProject, writeFiles } from "./support/guide-project";

skippedWithout(
  [
    ...(postgresFolder() === undefined ? ["initdb of PostgreSQL"] : []),
    ...(onPath("versitygw") === undefined ? ["versitygw"] : []),
  ],
  "a project whose states are in it is not deployed",
);

/** Deploys a new project, whose `state.ts` is changed as its README says, and finds the state again. */
async function deploys(
  backend: string,
  edit: (state: string) => string,
  { env }: Pick<StateService, "env">,
): Promise<void> {
  const { made, service } = await guideProject({});
  const init = ["ids", "fresh", "--backend", backend, "--package", "0.1.0"];
  expect(await made.run("init", ...init)).toMatchObject({ code: 0 });
  const written = (name: string): string => readFileSync(join(made.folder, "fresh", name), "utf8");
  writeFiles(made, {
    ...filesOfKind("ids"),
    "main.ts": written("main.ts"),
    "state.ts": edit(written("state.ts")),
  });
  const all = { ...env, IDS_URL: service.url };
  const deployed = await made.start("deploy", ["--auto-approve"], all).ended;
  expect([deployed.code, deployed.output]).toEqual([0, expect.stringContaining("watch: deployed")]);
  const planned = await made.start("plan", [], all).ended;
  expect(planned.output).toContain("watch: no changes");
  expect(service.changes).toEqual(["POST edge"]);
  // Which endpoints the state has is not known without a backend.
  const imported = await made.start("import", ["ids_endpoint"], all).ended;
  expect(imported.stdout).toContain(`endpointId: "edge"`);
  expect(imported.output).toContain(`the state is in ${backend}, which is not read`);
  // Nothing of the state is in the project.
  expect(() => readFileSync(join(made.folder, "terraform.watch.tfstate"))).toThrow("ENOENT");
}

(postgresFolder() === undefined ? test.skip : test)(
  "a new project keeps its states in PostgreSQL",
  async () => {
    const { backend } = await startPostgres();
    const { pg } = backend("watch") as { readonly pg: { readonly conn_str: string } };
    const address = pg.conn_str.replace("states@", "");
    const edit = (state: string) => state.replace("postgres://db.example.org/terraform", address);
    await deploys("pg", edit, { env: { PGUSER: "states" } });
  },
);

(onPath("versitygw") === undefined ? test.skip : test)(
  "a new project keeps its states in S3",
  async () => {
    const { backend, env } = await startS3("my-states", "eu-central-1");
    const { s3 } = backend("watch") as { readonly s3: Readonly<Record<string, unknown>> };
    // What state.ts says, and what Amazon's own service does not need.
    const own = ["bucket", "region", "key", "use_lockfile"];
    const overrides = Object.entries(s3)
      .filter(([name]) => !own.includes(name))
      .map(([name, value]) => {
        const path = `terraform.backend.s3.${name}`;
        return `  stack.addOverride("${path}", ${JSON.stringify(value)});\n`;
      });
    const edit = (state: string) => state.replace(/}\n$/, `${overrides.join("")}}\n`);
    await deploys("s3", edit, { env });
  },
);
