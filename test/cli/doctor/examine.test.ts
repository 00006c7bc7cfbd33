import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe as format, examine } from "../../../src/cli/doctor/examine";
import type { BuiltPackage } from "../../../src/cli/package/built-package";
import { installPackage } from "../../../src/cli/package/install-package";
import { terraformPlatform } from "../../../src/cli/package/platform";
import { packageHash } from "../../../src/cli/provider-package/package-content";
import { writeBuiltPackage } from "../package-fixture";
import { temporaryFolder } from "../temporary-folder";

const platform = terraformPlatform();

/** A machine without problems; each test breaks one thing. */
class Machine {
  readonly root = temporaryFolder();
  readonly mirror = join(this.root, "mirror");
  readonly built: BuiltPackage = writeBuiltPackage(this.root, {
    version: "0.1.0",
    body: "echo ids",
  });
  env: Record<string, string> = {};

  async install(): Promise<this> {
    await installPackage(this.built, { mirror: this.mirror, platform });
    return this;
  }

  lock(stack: string, hash: string, version = "0.1.0"): string {
    const folder = join(this.root, "cdktf.out", "stacks", stack);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, ".terraform.lock.hcl");
    writeFileSync(
      path,
      `provider "trivet.local/trivet/ids" {\n  version = "${version}"\n  hashes = [\n    "${hash}",\n  ]\n}\n`,
    );
    return path;
  }

  async report(): Promise<string> {
    const around = {
      env: this.env,
      home: this.root,
      workingFolder: this.root,
      platform: "linux",
    } as const;
    return format(await examine(around, this.mirror, [this.built]));
  }
}

/** The lines with warnings and problems. */
function complaints(text: string): string[] {
  return text.split("\n").filter((line) => /^(warning|problem)/.test(line));
}

describe("the doctor", () => {
  it("reports no problems on a machine without problems", async () => {
    const machine = await new Machine().install();
    machine.lock("one", await packageHash(machine.built.folder));
    expect(await machine.report()).toBe("");
  });

  it("finds a TypeScript that is too new for ts-node, as cdktf init installs it", async () => {
    const machine = await new Machine().install();
    const write = (name: string, version: string) => {
      const folder = join(machine.root, "node_modules", name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "package.json"), JSON.stringify({ version }));
    };
    write("typescript", "7.0.2");
    expect(complaints(await machine.report())).toEqual([]);
    write("ts-node", "10.9.2");
    write("ts-jest", "29.4.15");
    expect(complaints(await machine.report())).toEqual([
      "warning  ts-node and ts-jest cannot run with TypeScript 7.0.2.",
    ]);
    write("typescript", "5.9.3");
    expect(complaints(await machine.report())).toEqual([]);
  });

  it("reports a missing provider once, for all stacks that require it", async () => {
    const machine = new Machine();
    const ids = { source: "trivet.local/trivet/ids", version: "0.1.0" };
    for (const stack of ["one", "two"]) {
      const folder = join(machine.root, "cdktf.out", "stacks", stack);
      mkdirSync(folder, { recursive: true });
      const main = { terraform: { required_providers: { ids } } };
      writeFileSync(join(folder, "cdk.tf.json"), JSON.stringify(main));
    }
    expect(complaints(await machine.report())).toHaveLength(1);
  });

  it("finds second copies of the libraries in the packages of a workspace", async () => {
    const machine = await new Machine().install();
    const write = (folder: string, manifest: object) => {
      mkdirSync(join(machine.root, folder), { recursive: true });
      writeFileSync(join(machine.root, folder, "package.json"), JSON.stringify(manifest));
    };
    const peerDependencies = { cdktf: "^0.21.0", constructs: "^10.4.0" };
    write("", { dependencies: { network: "*", cdktf: "0.21.0", constructs: "10.7.2" } });
    write("node_modules/constructs", { version: "10.7.2" });
    write("node_modules/cdktf", { version: "0.21.0", peerDependencies });
    write("packages/network", { peerDependencies });
    symlinkSync(join(machine.root, "packages/network"), join(machine.root, "node_modules/network"));
    expect(complaints(await machine.report())).toEqual([]);

    write("packages/network/node_modules/constructs", { version: "10.4.2" });
    expect(complaints(await machine.report())).toEqual([
      "warning  The packages of this project load 2 copies of constructs: 10.7.2 in " +
        "node_modules/constructs, 10.4.2 in packages/network/node_modules/constructs.",
    ]);
  });

  it("finds a version that a stack requires and that is not installed", async () => {
    const machine = await new Machine().install();
    const folder = join(machine.root, "cdktf.out", "stacks", "one");
    mkdirSync(folder, { recursive: true });
    const require = (version: string) => {
      const ids = { source: "trivet.local/trivet/ids", version };
      const main = { terraform: { required_providers: { ids, other: { source: "a/b" } } } };
      writeFileSync(join(folder, "cdk.tf.json"), JSON.stringify(main));
    };
    require("0.0.7-dev");
    const text = await machine.report();
    expect(complaints(text)).toEqual([
      expect.stringMatching(
        /cdk\.tf\.json requires ids 0\.0\.7-dev, which is not in .* has 0\.1\.0/,
      ),
    ]);
    expect(text).toContain("→ Synthesize the stack again.");
    for (const version of ["0.1.0", "= 0.1.0", "~> 0.1"]) {
      require(version);
      expect(complaints(await machine.report())).toEqual([]);
    }
  });

  it("finds a required version in native syntax, and says what to write", async () => {
    const machine = await new Machine().install();
    writeFileSync(
      join(machine.root, "main.tf"),
      `terraform {
  required_providers {
    # ids = { source = "trivet.local/trivet/ids", version = "0.0.1-dev" }
    random = { source = "hashicorp/random", version = "3.0.0" }
    ids = {
      source  = "trivet.local/trivet/ids"
      version = "0.0.7-dev"
    }
  }
}
`,
    );
    const text = await machine.report();
    expect(complaints(text)).toEqual([expect.stringContaining("main.tf requires ids 0.0.7-dev")]);
    expect(text).toContain('→ Write version = "0.1.0" in required_providers.');
  });

  it("accepts that a provider is not installed which no stack requires, as before the first synthesis", async () => {
    const machine = new Machine();
    expect(await machine.report()).toBe("");
    const require = (source: string) => {
      const main = { terraform: { required_providers: { own: { source, version: "0.1.0" } } } };
      writeFileSync(join(machine.root, "main.tf.json"), JSON.stringify(main));
    };
    require("example.com/acme/notes");
    expect(await machine.report()).toBe("");
    require("trivet.local/trivet/ids");
    const needed = await machine.report();
    expect(complaints(needed)[0]).toContain("ids 0.1.0 is not installed in");
    expect(complaints(needed)[0]).toContain("could not query provider registry for trivet.local/");
    expect(needed).toContain("→ Run `trivet install`, or run the command through `trivet exec");
    // `trivet deploy` has installed it where only such commands look.
    const mirror = join(machine.root, ".cache", "trivet", "providers");
    await installPackage(machine.built, { mirror, platform });
    expect(await machine.report()).toBe("");
  });

  it("explains the checksum mismatch of a lock file, with the file to delete", async () => {
    const machine = await new Machine().install();
    const path = machine.lock("one", "h1:AAAA");
    const text = await machine.report();
    expect(complaints(text)[0]).toContain("does not match any of the checksums");
    expect(text).toContain(`→ Delete ${path}`);
  });

  it.each([
    [{ TF_REATTACH_PROVIDERS: "{}" }, "TF_REATTACH_PROVIDERS is set"],
    [{ TF_DISABLE_PLUGIN_TLS: "1" }, "TF_DISABLE_PLUGIN_TLS is set"],
    [{ HTTPS_PROXY: "http://user:secret@proxy" }, "HTTPS_PROXY is set"],
  ])("warns about %j", async (env, message) => {
    const machine = await new Machine().install();
    machine.env = env;
    const text = await machine.report();
    expect(complaints(text)).toEqual([expect.stringContaining(message)]);
    expect(text).not.toContain("secret");
  });

  it("accepts a proxy that is not used for the loopback interface", async () => {
    const machine = await new Machine().install();
    for (const NO_PROXY of ["example.com, 127.0.0.1", "*"]) {
      machine.env = { HTTPS_PROXY: "http://proxy", NO_PROXY };
      expect(complaints(await machine.report())).toEqual([]);
    }
    machine.env = { HTTPS_PROXY: "http://proxy", NO_PROXY: "example.com, *" };
    expect(complaints(await machine.report())).toEqual([
      expect.stringContaining("NO_PROXY does not exclude the loopback interface"),
    ]);
  });

  it("warns about a provider_installation that hides the plugin folder", async () => {
    const machine = await new Machine().install();
    writeFileSync(join(machine.root, ".terraformrc"), "provider_installation {\n  direct {}\n}\n");
    const text = await machine.report();
    expect(complaints(text)[0]).toContain("does not search the plugin folder");
  });
});
