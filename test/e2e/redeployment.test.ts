import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./support/build";
import { startCommand, succeeded } from "./support/command";
import { install, installation } from "./support/installation";
import { configuration, endpoint, scenario } from "./support/scenario";
import { tools } from "./support/tool";

const checkout = mkdtempSync(join(tmpdir(), "trivet-e2e-changed-"));

/** A copy of this checkout whose provider says something else, built. */
beforeAll(async () => {
  for (const path of ["src", "scripts", "package.json", "dist/src", "tsconfig.base.json"]) {
    cpSync(join(root, path), join(checkout, path), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
  const declaration = join(checkout, "src", "core", "ids", "endpoint", "declare.ts");
  const text = readFileSync(declaration, "utf8");
  writeFileSync(
    declaration,
    text.replace("An endpoint of the cloud", "A changed endpoint of the cloud"),
  );
  const build = ["scripts/build.mjs", "--providers", "--quiet"];
  const options = { cwd: checkout, env: process.env };
  await succeeded("build", startCommand(process.execPath, build, options));
});

afterAll(() => {
  rmSync(checkout, { recursive: true, force: true });
});

describe.each(tools)("a rebuilt provider under %s", (tool) => {
  it("is used after `init -upgrade`, without a checksum error", async () => {
    const { service, workspace } = await scenario(tool);
    const { version, mirror } = installation();
    const before = configuration(service, endpoint("edge"));
    workspace.write(before);
    await workspace.init();
    await workspace.apply();

    const newVersion = await install(checkout, mirror);
    expect(newVersion).toMatch(/^0\.0\.\d+-dev$/);
    expect(newVersion).not.toBe(version);
    // Without the upgrade the old one is still used.
    expect(await workspace.plansChanges()).toBe(false);

    const after = configuration(service, endpoint("edge", { severity: `"LOW"` }));
    workspace.write(after.replace(version, newVersion));
    const stale = await workspace.attempt(["plan"]);
    expect(stale.code).toBe(1);
    expect(stale.output).toContain("init -upgrade");
    await workspace.init("-upgrade");
    const schema = await workspace.run("providers", "schema", "-json");
    expect(schema.stdout).toContain("A changed endpoint of the cloud");
    const { output } = await workspace.apply();
    expect(output).toContain("0 added, 1 changed, 0 destroyed");
    expect(await workspace.plansChanges()).toBe(false);
  });
});
