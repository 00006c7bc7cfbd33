// @ts-check
import { resourcesInState } from "../cdktf.mjs";

/**
 * What the local platform reports (`--json`), as far as the demo reads it.
 *
 * @typedef {object} Report
 * @property {string} [owner]
 * @property {readonly { address: string, action: Action }[]} changes
 * @property {readonly { address: string, resource: string }[]} agents
 * @property {readonly { name: string, value?: string, optional: boolean }[]} parameters
 * @property {readonly { name: string, prebuilds: number }[]} presets
 * @property {readonly string[]} [whileStarted]
 * @property {readonly string[]} warnings
 * @property {string} [statePath]
 *
 * @typedef {"create" | "update" | "replace" | "delete"} Action
 */

/**
 * A workspace after a step: the report, and Terraform's state, which contains the secrets.
 *
 * @typedef {object} Seen
 * @property {Report} report
 * @property {(action: Action) => string[]} at addresses of what was so changed
 * @property {(...actions: Action[]) => boolean} only something changed, and in no other way
 * @property {ReadonlyMap<string, { id: string, token: string }>} agents
 * @property {{ id: string, tokens: string[] } | undefined} machine
 * @property {string | undefined} email of the owner, as the main agent knows it
 */

/**
 * @param {string} json
 * @returns {Promise<Seen>}
 */
export async function builtWorkspace(json) {
  /** @type {Report} */
  const report = { changes: [], ...JSON.parse(json) };
  const { changes, statePath } = report;
  /** @param {string} type */
  const inState = async (type) =>
    statePath === undefined ? [] : await resourcesInState(statePath, type);
  const agents = await inState("workspace_agent");
  const machines = (await inState("terraform_data")).filter(({ address }) =>
    address.endsWith(".machine"),
  );
  const [machine] = machines.map(({ attributes: { id, output } }) => ({
    id: String(id),
    tokens: Object.values(output.value.agents).map(String),
  }));
  const variables = await inState("workspace_env");
  const email = variables.find(({ attributes }) => attributes.name === "GIT_AUTHOR_EMAIL");
  return {
    report,
    at: (action) =>
      changes.filter((change) => change.action === action).map(({ address }) => address),
    only: (...actions) =>
      changes.length > 0 && changes.every(({ action }) => actions.includes(action)),
    agents: new Map(
      agents.map(({ address, attributes: { id, token } }) => [
        address,
        { id: String(id), token: String(token) },
      ]),
    ),
    machine,
    email: email?.attributes.value,
  };
}
