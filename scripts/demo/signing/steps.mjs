// @ts-check
import { attestationTag, signatureTag } from "./attached.mjs";
import { SIGNER } from "./services.mjs";

/**
 * What the demo does with the stack, and the expected result. Each step continues from the previous one.
 *
 * @typedef {object} Step
 * @property {string} title
 * @property {"deploy" | "destroy"} verb
 * @property {() => Promise<void>} [prepare] what another person does to the registry before the step
 * @property {Record<string, string | undefined>} [change] settings that change from here on
 * @property {boolean} [isRefused] whether the deployment must fail
 * @property {import("./image.mjs").Image} [large] the image whose copy shows progress
 * @property {(now: Seen, before: Seen) => Readonly<Record<string, boolean>>} expectations all are true
 *
 * @typedef {import("./seen.mjs").Seen} Seen
 */

export const SLSA_PROVENANCE = "https://slsa.dev/provenance/v1";
export const SPDX = "https://spdx.dev/Document";

/** In every format. */
const EVERYTHING = ["legacy", "bundle"].flatMap((format) =>
  ["signature", SLSA_PROVENANCE, SPDX].map((type) => `${format} ${type}`),
);

/**
 * @param {{
 *   theirs: import("./registry.mjs").Repository,
 *   ours: import("./registry.mjs").Repository,
 *   release: import("./image.mjs").Image,
 *   tampered: import("./image.mjs").Image,
 *   large: import("./image.mjs").Image,
 * }} world
 * @returns {readonly Step[]}
 */
export function steps({ theirs, ours, release, tampered, large }) {
  return [
    {
      title: "copy, sign, attest, verify",
      verb: "deploy",
      change: { DEMO_IMAGE: `${theirs.name}@${release.digest}` },
      expectations: (now) => ({
        "all three are created": now.did(
          "created",
          "signing_copy",
          "signing_sign",
          "signing_attest",
        ),
        ...isSigned(now, release),
        "the policy accepts the image": now.verified === `${ours.name}@${release.digest}`,
      }),
    },
    {
      title: "deploy again, nothing changed",
      verb: "deploy",
      expectations: (now, before) => ({
        "nothing changes": now.actions.length === 0,
        "the registry is unchanged": now.contents === before.contents,
      }),
    },
    {
      title: "another person removes the signature",
      verb: "deploy",
      prepare: () => ours.remove(signatureTag(release.digest)),
      expectations: (now) => ({
        "this is detected, and it is created again": now.did("created", "signing_sign"),
        "the copy is kept": !now.actions.some((action) => action.startsWith("signing_copy.")),
        ...isSigned(now, release),
      }),
    },
    {
      title: "another image, unsigned",
      verb: "deploy",
      prepare: () => ours.push(tampered),
      change: { DEMO_CANDIDATE: `${ours.name}@${tampered.digest}` },
      isRefused: true,
      expectations: refused,
    },
    {
      title: "another image, borrowed signatures",
      verb: "deploy",
      prepare: async () => {
        for (const tag of [signatureTag, attestationTag]) {
          const manifest = await ours.find(tag(release.digest));
          if (manifest === undefined) throw new Error(`the tag ${tag(release.digest)} is missing`);
          await ours.putManifest(manifest.bytes, tag(tampered.digest));
        }
      },
      isRefused: true,
      expectations: refused,
    },
    {
      title: `the next release, of ${megabytes(large.size)} MB`,
      verb: "deploy",
      change: { DEMO_IMAGE: `${theirs.name}@${large.digest}`, DEMO_CANDIDATE: undefined },
      large,
      expectations: (now) => ({
        "the copy is replaced": now.did("replaced", "signing_copy"),
        "the previous release keeps its signature": now.contents.includes(
          signatureTag(release.digest),
        ),
        "the whole image was transferred": now.sentBytes === large.size,
        ...isSigned(now, large),
        "the policy accepts the image": now.verified === `${ours.name}@${large.digest}`,
      }),
    },
    {
      title: "destroy",
      verb: "destroy",
      expectations: (now, before) => ({
        "all three are destroyed": now.did(
          "destroyed",
          "signing_copy",
          "signing_sign",
          "signing_attest",
        ),
        "images and signatures are kept for their users": now.contents === before.contents,
      }),
    },
  ];
}

/** @param {number} bytes */
export const megabytes = (bytes) => Math.round(bytes / 1e6);

/**
 * @param {Seen} now
 * @param {import("./image.mjs").Image} image
 */
function isSigned({ copied, signed }, { digest, manifest }) {
  const found = signed.map(({ format, type }) => `${format} ${type}`);
  return {
    "the registry has an exact copy": copied?.equals(manifest) === true,
    "signature, provenance and SBOM are there once in each format":
      [...found].sort().join() === [...EVERYTHING].sort().join(),
    "each names the image, and is signed": signed.every(
      ({ about, isSigned, signer }) => about === digest && isSigned && signer === SIGNER,
    ),
  };
}

/**
 * @param {Seen} now
 * @param {Seen} before
 */
function refused(now, before) {
  return {
    "the deployment fails": now.refusal !== undefined,
    "nothing was changed": now.actions.length === 0 && now.state === before.state,
  };
}
