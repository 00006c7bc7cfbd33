import { implementDataSource } from "../../provider-kit";
import { derivedUuid } from "../provider/configure";
import { provisioner } from "./declare";

/** Handlers of `workspace_provisioner`: reads the platform of the provider's own process. */
export const provisionerHandlers = implementDataSource(provisioner)<unknown>({
  read() {
    const os = hostSystem(process.platform);
    const arch = hostArchitecture(process.arch);
    return Promise.resolve({ id: derivedUuid("provisioner", os, arch), os, arch });
  },
});

/** Node.js names of operating systems that differ from Go's `GOOS`, which the platform uses. */
const systems: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };

/** Node.js names of architectures that differ from Go's `GOARCH`. The name `armv7` is the platform's. */
const architectures: Readonly<Record<string, string>> = {
  x64: "amd64",
  ia32: "386",
  arm: "armv7",
  mipsel: "mipsle",
  ppc64: "ppc64le",
};

/** Returns the platform's name of an operating system. @param platform as in `process.platform` */
export const hostSystem = (platform: string): string => systems[platform] ?? platform;

/** Returns the platform's name of a processor architecture. @param arch as in `process.arch` */
export const hostArchitecture = (arch: string): string => architectures[arch] ?? arch;
