// @ts-check
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { cdktf, resourcesInState } from "../cdktf.mjs";
import { withProgress } from "../progress.mjs";
import { tail, trivetExec } from "../trivet-exec.mjs";
import { builtWorkspace } from "./built-workspace.mjs";
import { SECRET, steps } from "./steps.mjs";

const STACK = "workspace-template";

/** The names of the actions in the report. */
const words = new Map([
  ["create", "created"],
  ["update", "updated in place"],
  ["replace", "replaced"],
  ["delete", "destroyed"],
]);

/** @typedef {import("../trivet-exec.mjs").Done} Done */

/**
 * Deploys the workspace template with cdktf, then builds workspaces of it on the local platform. Each
 * step is compared with Terraform's state, and must not print a secret.
 *
 * @param {import("../trivet-exec.mjs").Setting} setting
 * @returns {Promise<Done[]>}
 */
export async function demoWorkspace(setting) {
  const all = [await deploy(setting)];
  const password = randomBytes(16).toString("hex");
  const env = { ...process.env, [SECRET]: password };
  const secrets = new Set([password]);
  const template = join(setting.project, "cdktf.out", "stacks", STACK);
  const options = [template, "--state", join(setting.project, "platform"), "--json"];
  let before = await builtWorkspace("{}");
  for (const [index, { title, command, expectations }] of steps.entries()) {
    setting.throwIfInterrupted();
    const what = `trivet local workspace ${command[0]}: ${title}`;
    const head = `workspace ${index + 2}/${steps.length + 1} ${what}`;
    const { result, seconds } = await withProgress(head, () =>
      trivetExec([setting.trivet, "local", "workspace", ...command, ...options], setting, env),
    );
    setting.throwIfInterrupted();
    const { code, stdout, log } = result;
    if (code !== 0) {
      throw new Error(`${head} ended with code ${code}\n${tail(masked(log, secrets))}`);
    }
    const now = await builtWorkspace(stdout);
    for (const { token } of now.agents.values()) secrets.add(token);
    // The report is in the state, but Terraform's output has more details.
    verify(head, masked(log.replace(stdout, ""), secrets), {
      ...expectations(now, before),
      "no warnings": now.report.warnings.length === 0 && !/^Warning: /m.test(log),
      "no secret is printed": masked(log, secrets) === log,
    });
    const [counts, changes] = [countsText(now.report), changesText(now.report)];
    console.log(`    ${changes}: ${counts}`);
    all.push({ title, seconds, counts, details: [changes] });
    before = now;
  }
  return all;
}

/**
 * Deploys the template without a platform, as its author can.
 *
 * @param {import("../trivet-exec.mjs").Setting} setting
 * @returns {Promise<Done>}
 */
async function deploy(setting) {
  const title = "deploy the template without a platform";
  const head = `workspace 1/${steps.length + 1} cdktf deploy: ${title}`;
  const { result, seconds } = await withProgress(head, () =>
    cdktf("deploy", STACK, setting, process.env),
  );
  setting.throwIfInterrupted();
  const { code, log, added, changed, destroyed, actions } = result;
  if (code !== 0) throw new Error(`${head} ended with code ${code}\n${tail(log)}`);
  const agents = actions.filter((action) => action.startsWith("workspace_agent."));
  const file = join(setting.project, "cdktf.out", "stacks", STACK, "terraform.tfstate");
  const inState = await resourcesInState(file, "workspace_agent");
  const tokens = new Set(inState.map(({ attributes }) => String(attributes.token)));
  verify(head, masked(log, tokens), {
    "everything is created": added > 0 && changed + destroyed === 0,
    "two agents": agents.length === 2 && agents.every((action) => action.endsWith(" created")),
    "no secret is printed": tokens.size === 2 && masked(log, tokens) === log,
  });
  const counts = `${added} added, ${changed} changed, ${destroyed} destroyed`;
  console.log(`    ${agents.join("; ")}: ${counts}`);
  return { title, seconds, counts, details: [agents.join("; ")] };
}

/**
 * @param {string} head
 * @param {string} log
 * @param {Readonly<Record<string, boolean>>} expectations
 */
function verify(head, log, expectations) {
  const missed = Object.entries(expectations).filter(([, isMet]) => !isMet);
  if (missed.length === 0) {
    for (const what of Object.keys(expectations)) console.log(`    ✓ ${what}`);
    return;
  }
  const list = missed.map(([what]) => `  expected, but not so: ${what}`).join("\n");
  throw new Error(`${head}\n${list}\n${tail(log)}`);
}

/**
 * As terraform counts.
 *
 * @param {import("./built-workspace.mjs").Report} report
 */
function countsText({ changes }) {
  /** @param {string[]} actions */
  const count = (...actions) => changes.filter(({ action }) => actions.includes(action)).length;
  const [added, destroyed] = [count("create", "replace"), count("delete", "replace")];
  return `${added} added, ${count("update")} changed, ${destroyed} destroyed`;
}

/**
 * What happened to the agents, and everything else that was not just created.
 *
 * @param {import("./built-workspace.mjs").Report} report
 */
function changesText({ agents, changes, statePath }) {
  if (statePath === undefined) {
    return agents.map(({ address, resource }) => `${address} in ${resource}`).join("; ");
  }
  const named = changes
    .filter(({ address, action }) => action !== "create" || address.startsWith("workspace_agent."))
    .map(({ address, action }) => `${address} ${words.get(action)}`);
  return named.length === 0 ? "workspace_agent: no changes" : named.join("; ");
}

/**
 * @param {string} text
 * @param {ReadonlySet<string>} secrets
 */
function masked(text, secrets) {
  return [...secrets].reduce((masking, secret) => masking.replaceAll(secret, "(a secret)"), text);
}
