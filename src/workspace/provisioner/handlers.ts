import { implementDataSource } from "../../provider-kit";
import { provisioner } from "./declare";
import { derivedUuid } from "../provider/derived-uuid";
import { hostArchitecture, hostSystem } from "./host";

/** How the host of a build is read. */
export const provisionerHandlers = implementDataSource(provisioner)<unknown>({
  read() {
    const os = hostSystem(process.platform);
    const arch = hostArchitecture(process.arch);
    return Promise.resolve({ id: derivedUuid("provisioner", os, arch), os, arch });
  },
});
