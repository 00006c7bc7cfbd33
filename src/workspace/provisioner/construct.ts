import type { Construct } from "constructs";
import { DataWorkspaceProvisioner } from "../../../bindings/providers/workspace/data-workspace-provisioner";
import { DataSourceConstruct, product, type ConstructType } from "../../construct";
import { provisioner } from "./declare";
import type { DataProvisionerProps } from "./props";

const type: ConstructType = { name: "workspace.DataProvisioner", declaration: provisioner };

/** The host on which the platform runs Terraform. */
export class DataProvisioner extends DataSourceConstruct<DataWorkspaceProvisioner> {
  /** Name of the data source type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataProvisioner`;

  constructor(scope: Construct, id: string, props: DataProvisionerProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceProvisioner(...given));
  }

  /** ID of the data source, derived from the operating system and the architecture. */
  get id(): string {
    return this.resource.id;
  }

  /** Operating system of the host, such as `linux`. */
  get os(): string {
    return this.resource.os;
  }

  /** Processor architecture of the host, such as `amd64`, `arm64` or `armv7`. */
  get arch(): string {
    return this.resource.arch;
  }
}
