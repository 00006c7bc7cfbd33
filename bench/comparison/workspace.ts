import { workspace as subject } from "../subject/workspace";
import type { Comparison } from "./comparison";

/** The least that a template of a workspace has. */
export const workspace: Comparison = {
  provider: "workspace",
  piece: "one agent, app and parameter",
  peer: { name: "coder", localName: "coder" },
  target: 0.8,
  open: () =>
    Promise.resolve({
      ours: template("workspace"),
      theirs: template("coder"),
      environment: {
        ...subject.environment,
        TRIVET_AGENT_URL: "https://workspace.example.com",
        CODER_AGENT_URL: "https://workspace.example.com",
      },
      prepare: () => Promise.resolve({}),
      // There is no service: what is created is only in the state.
      confirm: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }),
};

const template = (prefix: string): object => ({
  provider: { [prefix]: {} },
  data: {
    [`${prefix}_parameter`]: {
      region: { name: "region", type: "string", default: "eu", mutable: true },
    },
  },
  resource: {
    [`${prefix}_agent`]: { main: { os: "linux", arch: "amd64" } },
    [`${prefix}_app`]: {
      editor: {
        agent_id: `\${${prefix}_agent.main.id}`,
        slug: "editor",
        display_name: `Editor in \${data.${prefix}_parameter.region.value}`,
        url: "http://localhost:13337",
      },
    },
  },
});
