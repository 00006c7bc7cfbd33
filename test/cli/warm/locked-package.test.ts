import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageHash } from "../../../src/cli/provider-package/package-content";
import { terraformPlatform } from "../../../src/cli/package/platform";
import { isIntact, lockedPackages } from "../../../src/cli/warm/locked-package";
import { temporaryFolder } from "../temporary-folder";

const source = "trivet.local/trivet/ids";

/** A folder after `terraform init`, with a package that contains one file. */
async function initialised({ data = ".terraform", constraints = "~> 1.0", hash = "" } = {}) {
  const folder = temporaryFolder();
  const content = join(folder, data, "providers", source, "1.0.0", terraformPlatform());
  mkdirSync(content, { recursive: true });
  writeFileSync(join(content, "terraform-provider-ids_v1.0.0"), "#!/bin/sh\n");
  const h1 = hash === "" ? await packageHash(content) : hash;
  writeFileSync(
    join(folder, ".terraform.lock.hcl"),
    `provider "registry.terraform.io/hashicorp/random" {
  version = "3.0.0"
}

provider "${source}" {
  version     = "1.0.0"
  constraints = "${constraints}"
  hashes = [
    "${h1}",
  ]
}
`,
  );
  return { folder, content };
}

const requirement = (version: string): string =>
  `terraform {\n  required_providers {\n    ids = { source = "${source}", version = "${version}" }\n  }\n}\n`;

test("finds what terraform would start, and nothing of other hosts", async () => {
  const { folder, content } = await initialised();
  const [found, ...others] = await lockedPackages(folder, {});
  expect(others).toEqual([]);
  expect(found).toMatchObject({ name: "ids", source, folder: content });
  expect(found?.executable).toBe(join(content, "terraform-provider-ids_v1.0.0"));
  expect(found && (await isIntact(found))).toBe(true);
});

test("finds a package in TF_DATA_DIR", async () => {
  const { folder } = await initialised({ data: "data" });
  expect(await lockedPackages(folder, {})).toEqual([]);
  expect(await lockedPackages(folder, { TF_DATA_DIR: "data" })).toHaveLength(1);
});

test("notices that a package was changed after it was locked", async () => {
  const { folder, content } = await initialised();
  writeFileSync(join(content, "provider.cjs"), "");
  const [found] = await lockedPackages(folder, {});
  expect(found && (await isIntact(found))).toBe(false);
});

test.each([true, false])(
  "leaves a package with a link to terraform (locked: %j)",
  async (isLocked) => {
    const { folder, content } = await initialised();
    symlinkSync("/etc/hostname", join(content, "more"));
    const [found] = await lockedPackages(folder, {});
    expect(found && (await isIntact({ ...found, ...(isLocked ? {} : { hashes: [] }) }))).toBe(
      false,
    );
  },
);

test.each([
  ["~> 1.0", 1],
  ["~>1.0", 1],
  ["= 1.0.0", 0],
  ["2.0.0", 0],
])(
  "of a configuration that requires %j now, locked with ~> 1.0, it finds %d",
  async (version, count) => {
    const { folder } = await initialised();
    writeFileSync(join(folder, "main.tf"), requirement(version));
    expect(await lockedPackages(folder, {})).toHaveLength(count);
  },
);

test("finds a version that several modules require in different ways", async () => {
  const { folder } = await initialised({ constraints: "1.0.0, >= 0.9.0" });
  writeFileSync(join(folder, "main.tf"), requirement("= 1.0.0"));
  expect(await lockedPackages(folder, {})).toHaveLength(1);
});

test("leaves a provider with dev_overrides to terraform", async () => {
  const { folder } = await initialised();
  const configuration = join(folder, "own.rc");
  writeFileSync(
    configuration,
    `provider_installation {\n  dev_overrides {\n    "${source}" = "/build"\n  }\n  direct {}\n}\n`,
  );
  expect(await lockedPackages(folder, { TF_CLI_CONFIG_FILE: configuration })).toEqual([]);
});

test("finds nothing in a folder without a lock file", async () => {
  expect(await lockedPackages(temporaryFolder(), {})).toEqual([]);
});
