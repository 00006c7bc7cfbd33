// @ts-check
import { join } from "node:path";
import { cdktf, resourcesInState } from "../cdktf.mjs";
import { withProgress } from "../progress.mjs";
import { tail } from "../trivet-exec.mjs";
import { startBackEnd } from "./back-end.mjs";
import { steps } from "./steps.mjs";

const STACK = "ids-demo";

/**
 * Creates, changes and destroys endpoints in a local back end, and compares each step with the
 * service's own list.
 *
 * @param {import("../trivet-exec.mjs").Setting} setting
 * @returns {Promise<import("../trivet-exec.mjs").Done[]>}
 */
export async function demoIds(setting) {
  const { result: backEnd } = await withProgress("start the local back end", () =>
    startBackEnd({ trivet: setting.trivet, cwd: setting.project }),
  );
  console.log(`    ${backEnd.url}`);

  /** @type {NodeJS.ProcessEnv} */
  let env = { ...process.env, TRIVET_IDS_ENDPOINT: backEnd.url };
  /** @type {import("../trivet-exec.mjs").Done[]} */
  const all = [];
  /** @type {import("./back-end.mjs").Endpoint[]} */
  let before = [];
  let project = "";
  for (const [index, step] of steps.entries()) {
    setting.throwIfInterrupted();
    env = { ...env, ...step.change };
    const title = `ids ${index + 1}/${steps.length} cdktf ${step.verb}: ${step.title}`;
    const { result: report, seconds } = await withProgress(title, () =>
      cdktf(step.verb, STACK, setting, env),
    );
    setting.throwIfInterrupted();
    const { code, log, added, changed, destroyed, actions } = report;
    if (code !== 0) throw new Error(`${title} ended with code ${code}\n${tail(log)}`);
    const planned = actions.filter((action) => action.startsWith("ids_endpoint."));
    const rightPlan =
      step.action === undefined
        ? planned.length === 0
        : planned.some((action) => step.action?.test(action));
    const counts = `${added} added, ${changed} changed, ${destroyed} destroyed`;
    if (!rightPlan || !step.expected(report)) {
      throw new Error(`${title}: unexpected result: ${counts}\n${tail(log)}`);
    }

    const state = await endpointsInState(setting.project);
    project = state[0]?.project ?? project;
    const after = await backEnd.endpoints(project);
    const wrong = step.verify(before, after) ?? compareNames(state, after);
    if (wrong !== undefined) throw new Error(`${title}: ${wrong}\n${tail(log)}`);
    before = after;

    const what = planned.length === 0 ? "ids_endpoint: no changes" : planned.join("; ");
    console.log(`    ${what}: ${counts}`);
    const inService = after.map(({ name, severity }) => `${name} (${severity})`).join(", ");
    const details = [what, `the service has: ${inService === "" ? "none" : inService}`];
    all.push({ title: step.title, seconds, counts, details });
  }
  return all;
}

/**
 * The endpoints in terraform's state, by their name in the service.
 *
 * @param {string} project
 * @returns {Promise<{ name: string, project: string }[]>}
 */
async function endpointsInState(project) {
  const state = join(project, `terraform.${STACK}.tfstate`);
  return (await resourcesInState(state, "ids_endpoint")).map(({ attributes }) => attributes);
}

/**
 * @param {readonly { name: string }[]} state
 * @param {readonly { name: string }[]} service
 */
function compareNames(state, service) {
  const [ours, theirs] = [state, service].map((list) =>
    list
      .map(({ name }) => name)
      .sort()
      .join(", "),
  );
  return ours === theirs ? undefined : `terraform's state has ${ours}, the service has ${theirs}`;
}
