import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readyStack } from "../../../src/cli/deploy/ready-stack";
import { Interruption } from "../../../src/cli/exec/interruption";
import { Terraform } from "../../../src/cli/terraform/terraform";
import type { Properties } from "../../../src/core/json/plain-json";
import { temporaryFolder } from "../temporary-folder";

const interruption = new Interruption();
afterAll(() => {
  interruption.release();
});

/** Checks a stack for a program that prints this version. */
async function checked(version: string, content: Properties): Promise<string> {
  const folder = temporaryFolder();
  const command = join(folder, "terraform");
  writeFileSync(command, `#!/bin/sh\necho '${version}'\n`, { mode: 0o755 });
  const file = join(folder, "cdk.tf.json");
  writeFileSync(file, JSON.stringify(content));
  const options = { command, env: process.env, mirror: "", providers: undefined, interruption };
  const rest = { dependencies: [], annotations: [], acknowledgements: [], positions: {} };
  const stack = { name: "demo", folder, file, ...rest };
  return await readyStack(stack, new Terraform(options)).then(
    () => "accepted",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );
}

const called = { output: { name: { value: "${provider::ids::endpoint_name()}" } } };
const ephemeral = { ephemeral: { workspace_secret: {} } };
const action = { action: { notes_ping: {} } };

it.each([
  [
    "Terraform v1.7.5",
    called,
    "demo uses functions of providers, which Terraform 1.7 does not have.",
  ],
  ["Terraform v1.8.0", called, "accepted"],
  ["OpenTofu v1.7.0", called, "accepted"],
  [
    "Terraform v1.9.8",
    ephemeral,
    "demo uses ephemeral resources, which Terraform 1.9 does not have.",
  ],
  [
    "OpenTofu v1.10.0",
    ephemeral,
    "demo uses ephemeral resources, which OpenTofu 1.10 does not have.",
  ],
  ["Terraform v1.10.0-beta1", ephemeral, "accepted"],
  ["OpenTofu v1.12.0", action, "demo uses actions, which OpenTofu 1.12 does not have."],
  ["Terraform v1.5.0", {}, "accepted"],
])("with %s and %j: %s", async (version, content, expected) => {
  expect(await checked(version, content)).toBe(expected);
});
