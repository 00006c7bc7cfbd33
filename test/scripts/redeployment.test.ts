import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLockFile } from "../../src/cli/stack/required-providers";
import { TrivetFixture } from "../cli/command-fixture";
import { writeBuiltPackage } from "../cli/package-fixture";

const cdktf = join(__dirname, "../../node_modules/cdktf-cli/bundle/bin/cdktf");

/** Writes the output of a synthesis: cdktf decides about `init` from this file and the lock file. */
function writeStack(folder: string, version: string): void {
  const stacks = join(folder, "cdktf.out", "stacks", "one");
  mkdirSync(stacks, { recursive: true });
  const ids = { source: "trivet.local/trivet/ids", version };
  writeFileSync(
    join(stacks, "cdk.tf.json"),
    JSON.stringify({
      "//": { metadata: { stackName: "one", version: "0.21.0", backend: "local" }, outputs: {} },
      terraform: { required_providers: { ids }, backend: { local: { path: "terraform.tfstate" } } },
    }),
  );
  const stack = {
    name: "one",
    constructPath: "one",
    synthesizedStackPath: "stacks/one/cdk.tf.json",
    workingDirectory: "stacks/one",
    annotations: [],
    dependencies: [],
  };
  writeFileSync(
    join(folder, "cdktf.out", "manifest.json"),
    JSON.stringify({ version: "0.21.0", stacks: { one: stack } }),
  );
  const config = { language: "typescript", app: "true", projectId: "p", sendCrashReports: "false" };
  writeFileSync(join(folder, "cdktf.json"), JSON.stringify(config));
}

function lockedVersions(folder: string): string[] {
  const path = join(folder, "cdktf.out", "stacks", "one", ".terraform.lock.hcl");
  return readLockFile(readFileSync(path, "utf8")).map(({ version }) => version);
}

describe("a stack whose provider was rebuilt", () => {
  it("is initialised again by cdktf with the new development version", async () => {
    const trivet = new TrivetFixture({ version: "0.0.281474976710655-dev" });
    const deploy = ["exec", "--", process.execPath, cdktf, "diff", "--skip-synth"];

    writeStack(trivet.root, "0.0.281474976710655-dev");
    await trivet.run(deploy);
    expect(lockedVersions(trivet.root)).toEqual(["0.0.281474976710655-dev"]);

    rmSync(join(trivet.root, "dist", "providers"), { recursive: true });
    writeBuiltPackage(trivet.root, { version: "0.0.281474976710654-dev" });
    writeStack(trivet.root, "0.0.281474976710654-dev");
    await trivet.run(deploy);
    expect(lockedVersions(trivet.root)).toEqual(["0.0.281474976710654-dev"]);
  });
});
