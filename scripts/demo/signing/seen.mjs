// @ts-check
import { readFile } from "node:fs/promises";
import { attachedTo } from "./attached.mjs";

/**
 * The observable result of a step.
 *
 * @typedef {object} Seen
 * @property {readonly string[]} actions of terraform on our resources
 * @property {(word: string, ...types: string[]) => boolean} did whether that was done to one of each
 * @property {readonly string[] | undefined} refusal what terraform said of a refused image
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
 * Terraform's error: the summary, and the lines of the detail.
 *
 * @param {string} log
 */
function refusalIn(log) {
  const [, rest] = /Error: (Image Refused By Policy.*?)\n[^\n]*╵/s.exec(log) ?? [];
  if (rest === undefined) return undefined;
  const isNoise = /^with data\.|^on .* line \d+|^\d+: |\d+ Stacks? deploying|^$/;
  const [summary = "", ...detail] = rest
    .split("\n")
    // cdktf begins lines with the stack, terraform with a frame.
    .map((line) => line.replace(/^.*?│/, "").trim())
    .filter((line) => !isNoise.test(line));
  const said = detail
    .join(" ")
    .split(/ (?=- (?:Policy|Authority|Needs|counted|did not count|Note|\d+ more)\b)/);
  return [summary, ...said].map(withShortDigests);
}

/** @param {string} text */
const withShortDigests = (text) =>
  text.replace(/\b(sha256[:-][0-9a-f]{12})[0-9a-f]{52}/g, (_, start) => `${start}…`);
