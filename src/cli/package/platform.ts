import { endianness } from "node:os";
import { didYouMean } from "../../core/schema";
import { CommandError, ExitCode } from "../invocation/failure";

const systems: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const architectures: Readonly<Record<string, string>> = {
  x64: "amd64",
  ia32: "386",
  ppc64: endianness() === "LE" ? "ppc64le" : "ppc64",
};

/** Terraform's name of a platform, such as `linux_amd64`. */
export function terraformPlatform(
  system: string = process.platform,
  architecture: string = process.arch,
): string {
  return `${systems[system] ?? system}_${architectures[architecture] ?? architecture}`;
}

/**
 * The platforms for which Node.js and Terraform can be built. A provider has the same package for all of them.
 */
const architecturesBySystem: Readonly<Record<string, readonly string[]>> = {
  darwin: ["amd64", "arm64"],
  freebsd: ["386", "amd64", "arm", "arm64"],
  linux: ["386", "amd64", "arm", "arm64", "loong64", "ppc64le", "riscv64", "s390x"],
  openbsd: ["386", "amd64", "arm64"],
  solaris: ["amd64"],
};

/**
 * Checks Terraform's name of a platform.
 *
 * @throws CommandError if the platform does not exist, or if the providers cannot start there
 */
export function checkedPlatform(name: string): string {
  if (name.startsWith("windows_")) {
    throw new CommandError(
      "The providers start with a POSIX shell, which Terraform on Windows does not use.",
      "Run `trivet` and `terraform` inside WSL, where the platform is linux_amd64 or linux_arm64.",
      ExitCode.usage,
    );
  }
  const platforms = Object.entries(architecturesBySystem).flatMap(([system, all]) =>
    all.map((architecture) => `${system}_${architecture}`),
  );
  if (platforms.includes(name)) return name;
  throw new CommandError(
    `The platform ${JSON.stringify(name)} does not exist${didYouMean(name, platforms) || "."}`,
    `The platforms are: ${platforms.join(", ")}.`,
    ExitCode.usage,
  );
}
