// @ts-check

/**
 * What the demo does with the template on the local platform, and the expected result. Each step
 * continues from the previous one.
 *
 * @typedef {object} Step
 * @property {string} title
 * @property {readonly string[]} command of `trivet local workspace`, without the template
 * @property {(now: Seen, before: Seen) => Readonly<Record<string, boolean>>} expectations all are true
 *
 * @typedef {import("./built-workspace.mjs").Seen} Seen
 */

export const SECRET = "REGISTRY_PASSWORD";

const AGENTS = ["workspace_agent.database", "workspace_agent.main"];
const MACHINE = "terraform_data.machine[0]";
const FACTS = "workspace_metadata.machine-facts[0]";

/** @type {readonly Step[]} */
export const steps = [
  {
    title: "import the template",
    command: ["import"],
    expectations: ({ report, agents }) => ({
      "both agents run in the machine": same(
        report.agents.map(({ address, resource }) => `${address} in ${resource}`),
        AGENTS.map((address) => `${address} in terraform_data.machine`),
      ),
      "the machine exists only while the workspace runs": same(report.whileStarted ?? [], [
        MACHINE,
        FACTS,
      ]),
      "every parameter has a default": report.parameters.every(({ optional }) => optional),
      "the preset is prebuilt": report.presets.some(({ prebuilds }) => prebuilds > 0),
      "nothing is built": agents.size === 0,
    }),
  },
  {
    title: "start a workspace",
    command: ["start", "--name", "blue", "--owner", "ada", "--secret-env", SECRET],
    expectations: ({ agents, machine, email, only, at }) => ({
      "everything is created": only("create") && at("create").includes(MACHINE),
      "two agents, each with its own token": new Set(tokens(agents)).size === 2,
      "the machine has the tokens": same(machine?.tokens ?? [], tokens(agents)),
      "the agent knows its owner": email === "ada@example.com",
    }),
  },
  {
    title: "start it again",
    command: ["start", "--name", "blue", "--secret-env", SECRET],
    expectations: (now, before) => ({
      "nothing changes": now.report.changes.length === 0,
      "the agents keep their IDs and tokens": sameAgents(now, before),
    }),
  },
  {
    title: "stop it",
    command: ["stop", "--name", "blue"],
    expectations: ({ at, only, agents, machine }, before) => ({
      "the machine and its metadata are destroyed": same(at("delete"), [MACHINE, FACTS]),
      "the agents are updated in place": same(at("update"), AGENTS) && only("delete", "update"),
      "the agents keep their IDs": same(ids(agents), ids(before.agents)),
      "the tokens are new": tokens(agents).every((token) => !tokens(before.agents).includes(token)),
      "the machine no longer exists": machine === undefined,
    }),
  },
  {
    title: "prebuild a workspace without an owner",
    command: ["prebuild", "--name", "ahead", "--preset", "Back end"],
    expectations: ({ report, only, agents, email }) => ({
      "everything is created": only("create"),
      "the preset's values are used": report.parameters.some(
        ({ name, value }) => name === "cores" && value === "8",
      ),
      "it has no owner": report.owner === "prebuilds" && email === "prebuilds@example.com",
      "two agents, each with its own token": new Set(tokens(agents)).size === 2,
    }),
  },
  {
    title: "claim it for an owner",
    command: ["claim", "--name", "ahead", "--owner", "grace", "--secret-env", SECRET],
    expectations: (now, before) => ({
      "two variables are updated in place, for the owner":
        now.at("update").length === 2 &&
        now.at("update").every((address) => address.startsWith("workspace_env.main_GIT_AUTHOR_")),
      "nothing else changes": now.only("update"),
      "the agent knows its owner": now.email === "grace@example.com",
      "the agents keep their IDs and tokens": sameAgents(now, before),
      "the machine is the prebuilt one": now.machine?.id === before.machine?.id,
    }),
  },
];

/** @typedef {Seen["agents"]} Agents */

/** @param {Agents} agents */
const ids = (agents) => [...agents.values()].map(({ id }) => id);

/** @param {Agents} agents */
const tokens = (agents) => [...agents.values()].map(({ token }) => token);

/**
 * @param {Seen} now
 * @param {Seen} before
 */
const sameAgents = (now, before) =>
  same(ids(now.agents), ids(before.agents)) && same(tokens(now.agents), tokens(before.agents));

/**
 * @param {readonly string[]} one
 * @param {readonly string[]} other
 */
const same = (one, other) => JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
