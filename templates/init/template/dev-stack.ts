import { DataResource, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

export interface DevStackProps {
  /** The platform that builds the workspaces. @default `workspace.products.trivet` */
  readonly product?: workspace.Product | undefined;
}

/** A development machine. */
export class DevStack extends TerraformStack {
  constructor(scope: Construct, id: string, { product }: DevStackProps = {}) {
    super(scope, id);
    new workspace.WorkspaceProvider(this, "workspace", { product });

    // Data of the build.
    const build = new workspace.DataWorkspace(this, "build");
    const owner = new workspace.DataWorkspaceOwner(this, "owner");

    // Parameters for users.
    const region = new workspace.DataParameter(this, "region", {
      name: "region",
      default: "eu",
      options: [
        { name: "Europe", value: "eu" },
        { name: "America", value: "us" },
      ],
    });
    const cores = new workspace.DataParameter(this, "cores", {
      name: "cores",
      type: "number",
      default: 4,
      mutable: true,
      validation: { min: 2, max: 32 },
    });
    new workspace.DataWorkspacePreset(this, "large", { name: "Large", prebuilds: { instances: 1 } })
      .set(region, "us")
      .set(cores, 16);

    // The agent, which connects the machine to the platform, and its parts.
    const main = new workspace.Agent(this, "main", {
      os: workspace.OperatingSystem.LINUX,
      arch: workspace.Architecture.AMD64,
    });
    main.addApp("web", { displayName: "Web", url: "http://localhost:8080" });
    main.addEnv("GIT_AUTHOR_NAME", owner.fullName);
    main.addScript("setup", { script: "make setup", runOnStart: true });

    // The machine. It exists only while the workspace runs.
    new DataResource(this, "machine", {
      count: build.startCount,
      input: {
        region: region.value,
        cores: cores.asNumber,
        boot: main.initScript,
        token: main.token,
      },
    });
  }
}
