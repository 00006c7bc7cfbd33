import { DataResource, propertyAccess, TerraformStack, Token } from "cdktf";
import type { Construct } from "constructs";
import { workspace } from "@trivet/constructs";
import { WorkspaceChoices } from "./workspace-choices";

/** The properties of a {@link WorkspaceTemplateStack}. */
export interface WorkspaceTemplateStackProps {
  /** The product whose platform builds the workspaces. @default trivet */
  readonly product?: workspace.Product | undefined;
}

/**
 * A typical template of a team: a machine for its service, a database next to it, and parameters.
 *
 * The home disk and the machine are placeholders for cloud resources: `DataResource` is built into
 * Terraform and only stores its input, so the template can be tried out anywhere.
 */
export class WorkspaceTemplateStack extends TerraformStack {
  constructor(scope: Construct, id: string, props: WorkspaceTemplateStackProps = {}) {
    super(scope, id);

    new workspace.WorkspaceProvider(this, "workspace", {
      product: props.product,
      platform: { version: "2.28.0", licence: "enterprise", wildcardHost: true },
    });
    const build = new workspace.DataWorkspace(this, "build");
    const owner = new workspace.DataWorkspaceOwner(this, "owner");
    const choices = new WorkspaceChoices(this, "choices");
    // A server of coder builds the template only if a provisioner has its tags, which no provisioner of a new server has.
    // Only two versions of coder's provider have secrets.
    if (props.product?.name !== "coder") {
      new workspace.DataWorkspaceTags(this, "tags", {
        tags: { cluster: "development", region: choices.region.value },
      });
      new workspace.DataSecret(this, "registry-password", {
        env: "REGISTRY_PASSWORD",
        helpMessage: "Store your password of the package registry as REGISTRY_PASSWORD.",
      });
    }

    const main = this.#addMainAgent(owner, choices);
    const database = this.#addDatabaseAgent(choices);

    // Kept while the workspace is stopped.
    const home = new DataResource(this, "home", { input: { size: choices.diskSize.value } });
    const machine = new DataResource(this, "machine", {
      count: build.startCount,
      input: {
        region: choices.region.value,
        image: choices.image.value,
        cores: choices.cores.value,
        labels: choices.labels.value,
        home: home.id,
        boot: main.initScript,
        agents: { main: main.token, database: database.token },
      },
    });
    new workspace.Metadata(this, "machine-facts", {
      count: build.startCount,
      resourceId: Token.asString(propertyAccess(machine.fqn, [0, "id"])),
      dailyCost: 120,
      items: [
        { key: "region", value: choices.region.value },
        { key: "image", value: choices.image.value },
      ],
    });
  }

  #addMainAgent(owner: workspace.DataWorkspaceOwner, choices: WorkspaceChoices): workspace.Agent {
    const agent = new workspace.Agent(this, "main", {
      os: workspace.OperatingSystem.LINUX,
      arch: workspace.Architecture.AMD64,
      order: 1,
      startupScript: choices.setUp.value,
      displayApps: { editorInsiders: true },
      metadatas: [
        { key: "load", displayName: "Load", script: "cut -d' ' -f1 /proc/loadavg", interval: 10 },
        { key: "home", displayName: "Home", script: "df --output=pcent ~ | tail -1", interval: 60 },
      ],
      resourcesMonitoring: {
        memory: { enabled: true, threshold: 90 },
        volumes: [{ path: "/home/dev", enabled: true, threshold: 80 }],
      },
    });
    agent.addApp("editor", {
      displayName: "Editor",
      url: "http://localhost:13337/?folder=/home/dev/api",
      subdomain: true,
      healthcheck: { url: "http://localhost:13337/healthz", interval: 5, threshold: 6 },
    });
    agent.addApp("service", {
      displayName: "The service",
      url: "http://localhost:8080",
      share: workspace.AppShare.AUTHENTICATED,
      subdomain: true,
      healthcheck: { url: "http://localhost:8080/ready", interval: 10, threshold: 3 },
    });
    agent.addApp("top", { displayName: "Processes", command: "top" });
    agent.addApp("handbook", {
      displayName: "Handbook",
      url: "https://handbook.example.com",
      external: true,
    });
    // Not in the agent's own env: coder's provider replaces an agent whose env changes, as it does at a claim.
    agent.addEnv("GIT_AUTHOR_NAME", owner.fullName);
    agent.addEnv("GIT_AUTHOR_EMAIL", owner.email);
    agent.addEnv("REPOSITORY", choices.repository.value);
    agent.addEnv("TOOLS", choices.tools.value);
    agent.addEnv("CLEAN_CACHE", choices.cleanCache.value);
    agent.addEnv("PATH", "/opt/tools/bin", { mergeStrategy: workspace.MergeStrategy.PREPEND });
    agent.addScript("clone", {
      displayName: "Clone the repository",
      script: 'test -d ~/api || git clone "$REPOSITORY" ~/api',
      runOnStart: true,
      startBlocksLogin: true,
      timeout: 300,
    });
    agent.addScript("tidy", {
      displayName: "Clean up at night",
      script: "find ~/.cache -atime +7 -delete",
      cron: "0 0 3 * * *",
    });
    agent.addDevcontainer("api", { workspaceFolder: "/home/dev/api" });
    return agent;
  }

  #addDatabaseAgent(choices: WorkspaceChoices): workspace.Agent {
    const agent = new workspace.Agent(this, "database", {
      os: workspace.OperatingSystem.LINUX,
      arch: workspace.Architecture.AMD64,
      order: 2,
      connectionTimeout: 300,
      displayApps: { editor: false, portForwardingHelper: false },
    });
    agent.addApp("psql", { displayName: "Query", command: "psql api" });
    agent.addEnv("WITH_EXAMPLES", choices.withExamples.value);
    agent.addScript("back-up", {
      displayName: "Back up before stop",
      script: "pg_dump api > ~/api.sql",
      runOnStop: true,
    });
    return agent;
  }
}
