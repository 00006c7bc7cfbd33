import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeAfterTest } from "../core/http/close-after-test";
import { onPath, skippedWithout } from "../on-path";
import { temporaryFolder } from "../local/signing/local-services";
import { buildWhenStale, root } from "./support/build";
import { startCommand, succeeded } from "./support/command";
import { Service } from "./support/service";

// This walks what `docs/guide/from-pulumi.md` says of endpoints.

const programs = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-terraform-provider"];
const missing = programs.filter((program) => onPath(program) === undefined);

skippedWithout(missing, "the providers do not run in a program for Pulumi");

const program = (url: string, severity: string): string => `
import * as ids from "@pulumi/ids";
const provider = new ids.Provider("local", {
  cloudIdsCustomEndpoint: ${JSON.stringify(url)},
  accessToken: "a-secret-token",
  project: "demo",
  zone: "europe-west1-b",
  pollInterval: "100ms",
});
const network = "projects/demo/global/networks/default";
const edge = new ids.Endpoint("edge", { endpointId: "edge", network, severity: "${severity}" }, { provider });
export const place = ids.parseEndpointNameOutput(edge.name, { provider }).location;
`;

/** A project with a local state, and a command that runs in it. */
async function openProject() {
  await buildWhenStale();
  const folder = await temporaryFolder();
  const [home, state] = [join(folder, "home"), join(folder, "state")];
  for (const each of [home, state]) mkdirSync(each);
  const env = {
    ...process.env,
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    XDG_STATE_HOME: join(folder, "journal"),
    // Pulumi's library asks for Node.js 22, but runs with 20.
    npm_config_engine_strict: "false",
  };
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
  };
  const start = (...args: readonly string[]) =>
    startCommand("pulumi", [...args, "--color", "never", "--non-interactive"], {
      cwd: folder,
      env,
    });
  const pulumi = (...args: readonly string[]) => succeeded(args.join(" "), start(...args));
  const { stdout } = await succeeded(
    "version",
    startCommand("pulumi", ["version"], { cwd: folder, env }),
  );
  const dependencies = {
    "@pulumi/pulumi": stdout.trim().replace(/^v/, ""),
    "@types/node": "20",
    typescript: "5.9",
  };
  write("package.json", JSON.stringify({ name: "edge", main: "index.ts", dependencies }));
  write("tsconfig.json", JSON.stringify({ compilerOptions: { strict: true, skipLibCheck: true } }));
  write("Pulumi.yaml", "name: edge\nruntime: nodejs\n");
  await succeeded("npm install", startCommand("npm", ["install"], { cwd: folder, env }));
  await pulumi("stack", "init", "dev");
  return { write, start, pulumi };
}

(missing.length === 0 ? test : test.skip)(
  "an endpoint of a program for Pulumi is created, changed and destroyed, and previews show no other changes",
  async () => {
    const service = await Service.start();
    closeAfterTest(() => service.close());
    const { write, start, pulumi } = await openProject();
    const settled = () => pulumi("preview", "--refresh", "--expect-no-changes");
    const plugin = ["resource", "terraform-provider", "1.0.0", "--file"];
    await pulumi(
      "plugin",
      "install",
      ...plugin,
      onPath("pulumi-resource-terraform-provider") ?? "",
    );
    const provider = join(root, "dist", "providers", "ids", "terraform-provider-ids");
    await pulumi("package", "add", "terraform-provider@1.0.0", provider);

    write("index.ts", program(service.url, "HIGH"));
    await pulumi("up", "--yes");
    await settled();
    await settled();
    expect((await pulumi("stack", "output", "place")).stdout.trim()).toBe("europe-west1-b");
    expect((await pulumi("stack", "export")).stdout).not.toContain("a-secret-token");

    write("index.ts", program(service.url, "URGENT"));
    const refused = await start("preview").ended;
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain('severity: must be one of "SEVERITY_UNSPECIFIED"');

    write("index.ts", program(service.url, "LOW"));
    await pulumi("up", "--yes");
    await settled();
    await pulumi("destroy", "--yes");
    expect(service.changes).toEqual(["POST edge", "PATCH edge", "DELETE edge"]);
  },
);
