import { endianness } from "node:os";

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
