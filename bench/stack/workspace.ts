import { DataResource } from "cdktf";
import { Agent as AgentBinding } from "../../bindings/providers/workspace/agent";
import { App as AppBinding } from "../../bindings/providers/workspace/app";
import { WorkspaceProvider as WorkspaceProviderBinding } from "../../bindings/providers/workspace/provider";
import { Agent } from "../../src/core/workspace/agent/construct";
import { Architecture, OperatingSystem } from "../../src/core/workspace/agent/generated";
import { App } from "../../src/core/workspace/app/construct";
import { WorkspaceProvider } from "../../src/core/workspace/provider/construct";
import type { Builders } from "./builders";

const agent = (index: number) => ({
  os: OperatingSystem.LINUX,
  arch: Architecture.AMD64,
  startupScript: "install-tools --quiet",
  env: { EDITOR: "vim", GIT_AUTHOR_NAME: `Developer ${index}` },
  displayApps: { editorInsiders: true, sshHelper: false },
});

const metadata = [{ key: "cpu", displayName: "CPU", script: "stat cpu", interval: 10, timeout: 1 }];

const app = (index: number) => ({
  slug: `editor-${index}`,
  displayName: "Editor",
  icon: "/icon/code.svg",
  url: "http://localhost:13337",
  subdomain: true,
  healthcheck: { url: "http://localhost:13337/healthz", interval: 5, threshold: 6 },
});

const settings = { url: "https://workspace.example.com" };

/**
 * Both stacks contain a machine on which all agents run, because an agent without dependents causes
 * a warning.
 */
export const workspace: Builders = {
  construct(stack, count) {
    new WorkspaceProvider(stack, "workspace", settings);
    const tokens: string[] = [];
    for (let index = 0; index < count; index++) {
      const made = new Agent(stack, `main${index}`, { ...agent(index), metadatas: metadata });
      new App(stack, `editor${index}`, { ...app(index), agentId: made.agentId });
      tokens.push(made.token);
    }
    new DataResource(stack, "machine", { input: { tokens } });
  },
  binding(stack, count) {
    new WorkspaceProviderBinding(stack, "workspace", settings);
    const tokens: string[] = [];
    for (let index = 0; index < count; index++) {
      const made = new AgentBinding(stack, `main${index}`, { ...agent(index), metadata });
      new AppBinding(stack, `editor${index}`, { ...app(index), agentId: made.id });
      tokens.push(made.token);
    }
    new DataResource(stack, "machine", { input: { tokens } });
  },
};
