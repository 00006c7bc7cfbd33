import type { Architecture, OperatingSystem } from "../agent/generated";
import { DataProvisionerBase } from "./generated";

/** The host on which the platform runs Terraform. */
export class DataProvisioner extends DataProvisionerBase {
  /** Operating system of the host, for the agent of a machine on the same host. */
  get os(): OperatingSystem {
    // A token, of which Terraform knows one of these values.
    return this.resource.os as OperatingSystem;
  }

  /** Processor architecture of the host, for the agent of a machine on the same host. */
  get arch(): Architecture {
    return this.resource.arch as Architecture;
  }
}
