import type { Redactor } from "./log/redactor";
import type { ProviderIdentity } from "./usage";

/** The exit code of a provider that failed by a bug. */
export const crashExitCode = 2;

const maxStackLines = 40;

/**
 * Describes an error that nobody caught, in lines that Terraform shows to its user.
 *
 * Terraform keeps the plain lines (not JSON) that a plugin writes to standard error from one on
 * that begins with `panic: ` (hashicorp/terraform internal/logging/panic.go), and prints them when
 * the command has failed; any other output of a crashing plugin is lost without TF_LOG.
 */
export function formatCrash(
  identity: ProviderIdentity,
  error: unknown,
  redactor: Redactor,
): string {
  const [headline, ...lines] = crashLines(identity, error).map((line) => redactor.text(line));
  return [`panic: ${headline ?? ""}`, ...lines, ""].join("\n");
}

function crashLines({ name, version }: ProviderIdentity, error: unknown): readonly string[] {
  const described =
    error instanceof Error
      ? (error.stack ?? `${error.name}: ${error.message}`)
      : `a value that is not an error was thrown: ${String(error)}`;
  return [
    `terraform-provider-${name} ${version} ended because of an error that it did not expect.`,
    "This is a bug of the provider, not of the configuration. Please report it with these lines:",
    ...described.split("\n").slice(0, maxStackLines),
  ];
}
