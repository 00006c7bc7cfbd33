import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cliConfiguration } from "../../../src/cli/exec/cli-configuration";
import { installPackage } from "../../../src/cli/package/install-package";
import { terraformPlatform } from "../../../src/cli/package/platform";
import { writeBuiltPackage } from "../package-fixture";
import { temporaryFolder } from "../temporary-folder";

const ours = '"trivet.local/*/*"';

function configure(text: string): string {
  return cliConfiguration(["/mirror"], [{ path: "own.rc", text }]).text;
}

describe("the CLI configuration", () => {
  it("takes our providers from the mirror and everything else directly", () => {
    expect(cliConfiguration(["/mirror"], []).text).toMatchInlineSnapshot(`
"provider_installation {
  filesystem_mirror {
    path    = "/mirror"
    include = ["trivet.local/*/*"]
  }
  direct {
    exclude = ["trivet.local/*/*"]
  }
}
"
`);
  });

  it("adds the user's other settings", () => {
    const text = configure('plugin_cache_dir = "/cache"\n');
    expect(text).toContain('plugin_cache_dir = "/cache"');
    expect(text.match(/provider_installation/g)).toHaveLength(1);
  });

  it("adds the mirror to the user's provider_installation and excludes our host from its methods", () => {
    const text = configure(`provider_installation {
  network_mirror {
    url     = "https://mirror.example.com/" # { not a block
    exclude = ["example.com/*/*"]
  }
  direct {}
}
`);
    expect(text.match(/provider_installation/g)).toHaveLength(1);
    expect(text).toContain(`exclude = [${ours}, "example.com/*/*"]`);
    expect(text).toContain(`direct { exclude = [${ours}]`);
    expect(text.split("filesystem_mirror")).toHaveLength(2);
  });

  it("leaves development overrides as they are", () => {
    const text = configure(`provider_installation {
  dev_overrides {
    "example.com/a/b" = "/here"
  }
  direct {}
}
`);
    expect(text).toContain(`dev_overrides {
    "example.com/a/b" = "/here"
  }`);
  });

  it("does not mistake a comment or a string for a block", () => {
    const text =
      '# provider_installation {\ndisable_checkpoint = true // {\nx = "direct {"\n/* a { */\n';
    expect(configure(text)).toContain('direct {\n    exclude = ["trivet.local/*/*"]');
  });

  it.each([
    ["no configuration of the user", ""],
    ["a provider_installation", "provider_installation {\n  direct {}\n}\n"],
    [
      "one with lists",
      'provider_installation {\n  direct {\n    include = ["*/*"]\n    exclude = ["a.example/*/*"]\n  }\n}\n',
    ],
  ])("is one that terraform initialises with, given %s", async (_, own) => {
    const folder = temporaryFolder();
    const mirror = join(folder, "mirror");
    const built = writeBuiltPackage(folder, { version: "0.0.1-dev" });
    await installPackage(built, { mirror, platform: terraformPlatform() });
    const file = join(folder, "terraform.rc");
    writeFileSync(file, cliConfiguration([mirror], [{ path: "own.rc", text: own }]).text);
    const module = join(folder, "module");
    mkdirSync(module);
    const ids = { source: "trivet.local/trivet/ids", version: "0.0.1-dev" };
    writeFileSync(
      join(module, "main.tf.json"),
      JSON.stringify({ terraform: { required_providers: { ids } } }),
    );
    const env = { ...process.env, TF_CLI_CONFIG_FILE: file, CHECKPOINT_DISABLE: "1" };
    const output = execFileSync("terraform", ["init", "-no-color"], { cwd: module, env });
    expect(output.toString()).toContain("Installed trivet.local/trivet/ids v0.0.1-dev");
  });
});
