// @ts-check
import { readFile } from "node:fs/promises";
import { attachedTo } from "./attached.mjs";

/**
 * What can be seen after a step.
 *
 * @typedef {object} Seen
 * @property {readonly string[]} actions of terraform on our resources
 * @property {(word: string, ...types: string[]) => boolean} did whether that was done to one of each
 * @property {string | undefined} refusal what terraform said of an image that was refused
 * @property {Buffer | undefined} copied the manifest in our repository
 * @property {readonly import("./attached.mjs").Signed[]} signed about the image
 * @property {string} contents of our repository: tags and what they name, and the image's referrers
 * @property {string | undefined} verified the stack's output
 * @property {string} state resources in terraform's state
 * @property {number} sentBytes by the provider's log
 */

/**
 * @param {import("../cdktf.mjs").Report} report
 * @param {{
 *   ours: import("./registry.mjs").Repository,
 *   digest: string,
 *   stateFile: string,
 *   sentBytes: number,
 * }} world
 * @returns {Promise<Seen>}
 */
export async function seen({ code, log, actions }, { ours, digest, stateFile, sentBytes }) {
  const done = actions.filter((action) => action.startsWith("signing_"));
  const { resources, outputs } = JSON.parse(await readFile(stateFile, "utf8"));
  const tags = await Promise.all(
    (await ours.tags()).sort().map(async (tag) => `${tag} ${(await ours.find(tag))?.digest}`),
  );
  return {
    actions: done,
    did: (word, ...types) =>
      types.every((type) =>
        done.some((action) => action.startsWith(`${type}.`) && action.endsWith(` ${word}`)),
      ),
    refusal: code === 0 ? undefined : refusalIn(log),
    copied: (await ours.find(digest))?.bytes,
    signed: await attachedTo(ours, digest),
    contents: [...tags, ...(await ours.referrers(digest)).sort()].join("\n"),
    verified: Object.values(outputs ?? {}).map(({ value }) => String(value))[0],
    state: JSON.stringify(
      resources.filter((/** @type {{ mode: string }} */ { mode }) => mode === "managed"),
    ),
    sentBytes,
  };
}

/**
 * Terraform's error, in one line.
 *
 * @param {string} log
 */
function refusalIn(log) {
  const [, rest] = /Error: (Image Refused By Policy.*)/s.exec(log) ?? [];
  if (rest === undefined) return undefined;
  const lines = rest.split("\n").map((line) => line.replace(/^[^\w]*│ ?|^\S+ +│ ?/, "").trim());
  const end = lines.findIndex((line) => line.startsWith("╵"));
  const said = lines.slice(0, end === -1 ? 12 : end).filter((line) => line !== "");
  const isPlace = (/** @type {string} */ line) => /^with data\.|^on .*line \d+|^\d+: /.test(line);
  const [summary, ...detail] = said.filter((line) => !isPlace(line));
  return withShortDigests(`${summary}: ${detail.join(" ")}`);
}

/** @param {string} text */
const withShortDigests = (text) =>
  text.replace(/\b(sha256[:-][0-9a-f]{12})[0-9a-f]{52}/g, (_, start) => `${start}…`);
