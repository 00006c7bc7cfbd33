import type { Construct } from "constructs";
import { DataWorkspaceProvisioner } from "../../../../bindings/providers/workspace/data-workspace-provisioner";
import type { ConstructType } from "../../construct";
import type { Architecture, OperatingSystem } from "../agent/generated";
import { provisioner } from "./declare";
import { DataProvisionerBase, type DataProvisionerProps } from "./generated";

const type: ConstructType = { name: "workspace.DataProvisioner", declaration: provisioner };

/** The host on which the platform runs Terraform. */
export class DataProvisioner extends DataProvisionerBase<DataProvisionerProps> {
  constructor(scope: Construct, id: string, props: DataProvisionerProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceProvisioner(...given));
  }

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
