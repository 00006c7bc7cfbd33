import { endianness } from "node:os";

const SYSTEMS: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: "amd64",
  ia32: "386",
  ppc64: endianness() === "LE" ? "ppc64le" : "ppc64",
};

/** A platform in Terraform's words, such as `linux_amd64`. */
export function terraformPlatform(
  system: string = process.platform,
  architecture: string = process.arch,
): string {
  return `${SYSTEMS[system] ?? system}_${ARCHITECTURES[architecture] ?? architecture}`;
}
