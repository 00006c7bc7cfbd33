import { implementDataSource } from "../../provider-kit";
import { derivedUuid } from "../provider/derived-uuid";
import { provisioner } from "./declare";

/** How the host of a build is read. */
export const provisionerHandlers = implementDataSource(provisioner)<unknown>({
  read() {
    const os = hostSystem(process.platform);
    const arch = hostArchitecture(process.arch);
    return Promise.resolve({ id: derivedUuid("provisioner", os, arch), os, arch });
  },
});

/** Where Node's word for an operating system is not the platform's, which are Go's. */
const systems: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };

/** As {@link systems}, for processor architectures; 32-bit Arm has a word of the platform's own. */
const architectures: Readonly<Record<string, string>> = {
  x64: "amd64",
  ia32: "386",
  arm: "armv7",
  mipsel: "mipsle",
  ppc64: "ppc64le",
};

/** @param platform as `process.platform` */
export const hostSystem = (platform: string): string => systems[platform] ?? platform;

/** @param arch as `process.arch` */
export const hostArchitecture = (arch: string): string => architectures[arch] ?? arch;
