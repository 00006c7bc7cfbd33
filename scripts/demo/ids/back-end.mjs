// @ts-check
import { setTimeout as wait } from "node:timers/promises";
import { start } from "../process.mjs";

const maxStartMs = 20_000;

/**
 * Starts `trivet local ids` on a free port.
 *
 * @param {{ trivet: string, cwd: string }} options
 * @returns {Promise<{ url: string, endpoints: (project: string) => Promise<Endpoint[]> }>}
 *   `url` ends with /v1/
 *
 * @typedef {{ name: string, severity: string, state: string, createTime: string }} Endpoint
 */
export async function startBackEnd({ trivet, cwd }) {
  // One poll takes five seconds: enough to show that operations are slow.
  const server = start([trivet, "local", "ids", "--port", "0", "--polls", "1"], {
    cwd,
    env: process.env,
  });
  let exited = false;
  void server.ended.then(() => (exited = true));
  for (const start = Date.now(); Date.now() - start < maxStartMs && !exited; await wait(20)) {
    const url = /cloud_ids_custom_endpoint = "([^"]+)"/.exec(server.output())?.[1];
    if (url !== undefined) return { url, endpoints: (project) => list(url, project) };
  }
  throw new Error(`the local back end did not start:\n${server.output()}`);
}

/**
 * The service's own list, requested without any code of the provider.
 *
 * @param {string} url
 * @param {string} project
 */
async function list(url, project) {
  const response = await globalThis.fetch(`${url}projects/${project}/locations/-/endpoints`);
  if (!response.ok)
    throw new Error(`the back end responded with status ${response.status} to a list`);
  const { endpoints = [] } = /** @type {{ endpoints?: Endpoint[] }} */ (await response.json());
  return endpoints;
}
