import { agent } from "../../src/core/workspace/agent/declare";
import { app } from "../../src/core/workspace/app/declare";
import { workspaceProvider } from "../../src/core/workspace/provider/declare";
import type { Subject } from "./subject";

export const workspace: Subject = {
  name: "workspace",
  piece: "agent with an app",
  constructs: ["WorkspaceProvider", "Agent", "App"],
  importRatio: 1.2,
  settings: { declaration: workspaceProvider, values: { url: "https://workspace.example.com" } },
  environment: {
    TRIVET_AGENT_SCRIPT_linux_amd64:
      '#!/bin/sh\nset -eu\ncurl -fsSL "${ACCESS_URL}bin/agent-linux-amd64" -o /tmp/agent\nchmod +x /tmp/agent\n' +
      'export AGENT_AUTH="${AUTH_TYPE}" AGENT_URL="${ACCESS_URL}"\nexec /tmp/agent\n',
  },
  resources: [
    {
      declaration: agent,
      config: (index) => ({
        os: "linux",
        arch: "amd64",
        startupScript: "install-tools --quiet",
        env: { EDITOR: "vim", GIT_AUTHOR_NAME: `Developer ${index}` },
        displayApps: [{ editorInsiders: true, sshHelper: false }],
        metadatas: [
          { key: "cpu", displayName: "CPU", script: "stat cpu", interval: 10, timeout: 1 },
        ],
      }),
    },
    {
      declaration: app,
      config: (index, { agentId = null }) => ({
        agentId,
        slug: `editor-${index}`,
        displayName: "Editor",
        icon: "/icon/code.svg",
        url: "http://localhost:13337",
        subdomain: true,
        healthcheck: [{ url: "http://localhost:13337/healthz", interval: 5, threshold: 6 }],
      }),
    },
  ],
  applies: true,
  counts: [1, 100, 1_000],
  targets: { planUs: 2_500, memoryMb: 100 },
  synthCounts: [100, 1_000],
  commandCounts: [1, 100],
  // 20,000 a second.
  check: { probe: "check-parameter", what: "a parameter with its default", targetUs: 50 },
  configuration: (count) => ({
    provider: { workspace: { url: "https://workspace.example.com" } },
    resource: {
      workspace_agent: {
        main: {
          count,
          os: "linux",
          arch: "amd64",
          startup_script: "install-tools --quiet",
          env: { EDITOR: "vim", GIT_AUTHOR_NAME: "Developer ${count.index}" },
          display_apps: { editor_insiders: true, ssh_helper: false },
          metadata: [
            { key: "cpu", display_name: "CPU", script: "stat cpu", interval: 10, timeout: 1 },
          ],
        },
      },
      workspace_app: {
        editor: {
          count,
          agent_id: "${workspace_agent.main[count.index].id}",
          slug: "editor-${count.index}",
          display_name: "Editor",
          icon: "/icon/code.svg",
          url: "http://localhost:13337",
          subdomain: true,
          healthcheck: { url: "http://localhost:13337/healthz", interval: 5, threshold: 6 },
        },
      },
    },
  }),
};
