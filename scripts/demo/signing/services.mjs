// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { start } from "../process.mjs";

const MAX_START_MS = 20_000;

/** The signer in the certificates. */
export const SIGNER = "ada@example.com";

/**
 * What `trivet local signing` prints and stores in its folder, as far as the demo uses it.
 *
 * @typedef {object} Services
 * @property {string} host of the registry, as image references begin
 * @property {string} certificateAuthority
 * @property {string} transparencyLog
 * @property {string} timestampAuthority
 * @property {string} tokenIssuer
 * @property {string} trustedRoot a file
 * @property {() => Promise<string>} identityToken a fresh one, good for some minutes
 */

/**
 * Starts `trivet local signing` on free ports.
 *
 * @param {{ trivet: string, cwd: string, folder: string }} options
 * @returns {Promise<Services>}
 */
export async function startServices({ trivet, cwd, folder }) {
  const args = ["local", "signing", "--folder", folder, "--port", "0", "--email", SIGNER];
  const server = start([trivet, ...args, "--quiet"], { cwd, env: process.env });
  let exited = false;
  void server.ended.then(() => (exited = true));
  for (const start = Date.now(); Date.now() - start < MAX_START_MS && !exited; await wait(20)) {
    if (server.stdout().includes("for other tools")) return read(server.stdout(), folder);
  }
  throw new Error(`the local services did not start:\n${server.output()}`);
}

/**
 * @param {string} printed
 * @param {string} folder
 * @returns {Services}
 */
function read(printed, folder) {
  /** @param {string} name */
  const address = (name) => {
    const found = new RegExp(`^ *${name} +(http://\\S+)`, "m").exec(printed)?.[1];
    if (found === undefined) throw new Error(`the URL of the ${name} is missing in:\n${printed}`);
    return found;
  };
  return {
    host: new URL(address("registry")).host,
    certificateAuthority: address("certificate authority"),
    transparencyLog: address("transparency log"),
    timestampAuthority: address("timestamp authority"),
    tokenIssuer: address("token issuer"),
    trustedRoot: join(folder, "trusted_root.json"),
    identityToken: async () => (await readFile(join(folder, "identity-token"), "utf8")).trim(),
  };
}
