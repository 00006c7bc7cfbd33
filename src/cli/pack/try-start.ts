import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProviderPackage } from "../provider-package/provider-package";
import { writePackage } from "../provider-package/write-package";
import { CommandError } from "../invocation/command-error";
import { toolRunner } from "../invocation/run-tool";

const firstLines = (text: string): string => text.trim().split("\n").slice(0, 12).join("\n");

/**
 * Starts a packed provider once, and compares its own name and version with those of the package. If they
 * differ, Terraform would start it, but report another version in errors and logs, or serve another source.
 *
 * @throws CommandError if it does not start, or reports something else
 */
export async function tryStart(made: ProviderPackage, source: string): Promise<void> {
  const { name, version, executable } = made;
  const folder = await mkdtemp(join(tmpdir(), "trivet-pack-"));
  try {
    await writePackage(join(folder, "package"), made);
    const run = toolRunner(process.env);
    const started = join(folder, "package", executable);
    const answers = await run(started, ["--version"]);
    if (answers.kind === "missing" || !answers.ok) {
      throw new CommandError(
        `The packed provider does not start.\n${answers.kind === "missing" ? "" : firstLines(answers.stderr || answers.stdout)}`.trim(),
        "A package that reads files next to its modules, or has a native part, cannot be bundled. " +
          "The main module must call `serve` of @trivet/provider-kit/host.",
      );
    }
    const expected = `terraform-provider-${name} ${version}`;
    if (answers.stdout.trim() !== expected) {
      throw new CommandError(
        `The packed provider says that it is ${JSON.stringify(firstLines(answers.stdout))}, but its package is ${JSON.stringify(expected)}.`,
        `Give \`serve\` the name ${JSON.stringify(name)} and \`version: process.env["TRIVET_PROVIDER_VERSION"] ?? "0.0.0"\`: ` +
          "packing replaces the variable by the version.",
      );
    }
    const usage = await run(started, ["--help"]);
    const [, said] =
      usage.kind === "missing" ? [] : (/^\s+source\s+= "(.*)"$/m.exec(usage.stdout) ?? []);
    if (said !== source && `registry.terraform.io/${said ?? ""}` !== source) {
      throw new CommandError(
        `The packed provider says that its source is ${JSON.stringify(said ?? "")}, but --source is ${JSON.stringify(source)}.`,
        "Give `serve` and `trivet-provider pack` the same source.",
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
