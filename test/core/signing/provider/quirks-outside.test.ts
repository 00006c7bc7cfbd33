import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { isQuirk } from "../../../../src/local/signing/registry/quirks";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { verifyImage } from "../../../../src/core/signing/verify";
import { root } from "../../../docs/page";
import { onPath, skippedWithout } from "../../../on-path";
import {
  cosignMakes,
  cosignVerifies,
  findCosign,
  type Evidence,
} from "../../../local/signing/outside-cosign";
import { temporaryFolder } from "../../../local/signing/local-services";
import { openRegistry } from "../oci/registry/registries";
import { sign } from "../sign/operations";
import { openBench } from "../sign/signing-bench";
import { nameOf, treeOf } from "../tree/trees";
import { email, keyless, policyText } from "./signing";

const run = promisify(execFile);
/** How long a program may take: one follows an endless list. */
const timeout = 20_000;
const cosign = findCosign().find(({ major }) => major === 3);
const others = ["oras", "crane", "skopeo"] as const;
const missing = [...(cosign ? [] : ["cosign 3"]), ...others.filter((name) => !onPath(name))];
skippedWithout(missing, "no other tool is tried with the quirks of registries");

const page = readFileSync(join(root, "docs/design/signing-interoperability.md"), "utf8");
const rows = [...page.matchAll(/^\| `([\w-]+)` +\|(.*)\|$/gm)].flatMap(
  ([, name = "", cells = ""]) =>
    isQuirk(name) ? [[name, cells.split("|").map((cell) => cell.trim())] as const] : [],
);

const statement = { predicateType: "unused", json: "{}" };
const what = "signature";

/** `yes`, or `no` if a program fails or does not find what is there. */
async function outcomeOf(work: () => Promise<boolean>): Promise<string> {
  return work().then(
    (found) => (found ? "yes" : "no"),
    () => "no",
  );
}

(missing.length > 0 ? describe.skip : describe).each(rows)(
  "a registry with %s",
  (quirk, expected) => {
    test("is as the table says for other tools, and for what they and we make", async () => {
      if (cosign === undefined) return;
      const bench = await openBench({ quirks: [quirk] });
      const { local } = bench;
      const env = { PATH: process.env["PATH"], HOME: await temporaryFolder() };
      const signs = (image: DigestReference, format: Evidence["format"]) =>
        sign(bench, bench.person(email), image, { format });
      const ours = await bench.pushImage("ours");
      await signs(ours, "legacy");
      await signs(ours, "bundle").catch(() => undefined);
      const accepts = async (image: DigestReference, signatureFormat: Evidence["format"]) => {
        const authorities = [keyless(local, { signatureFormat })];
        const policy = policyText(local, { authorities });
        const trustedRoot = readFileSync(local.files.trustedRoot, "utf8");
        return (await verifyImage({ image: nameOf(image), policy, trustedRoot })).accepted;
      };
      const makes = async (format: Evidence["format"]) => {
        const image = await bench.pushImage(`made by cosign as ${format}`);
        await cosignMakes(cosign, { format, what }, statement, local, nameOf(image), email);
        return accepts(image, format);
      };
      const verifies = async (format: Evidence["format"]) => {
        // cosign looks for the other format if it does not find this one.
        const image = await bench.pushImage(`made by us as ${format}`);
        await signs(image, format);
        const by = { email, timestamp: false };
        await cosignVerifies(cosign, { format, what }, statement, local, nameOf(image), by);
        return true;
      };
      const registry = await openRegistry("ours");
      const there = (path: string) => ({ registry, path, digest: ours.digest });
      const outcomes = [
        await outcomeOf(() => makes("legacy")),
        await outcomeOf(() => makes("bundle")),
        await outcomeOf(() => verifies("legacy")),
        await outcomeOf(() => verifies("bundle")),
        await outcomeOf(async () => {
          const args = ["tree", "--allow-http-registry", nameOf(ours)];
          const { stdout } = await run(cosign.path, args, { env, timeout });
          const { attached } = await treeOf(bench, ours);
          return attached.every(({ digest }) => digest !== undefined && stdout.includes(digest));
        }),
        await outcomeOf(async () => {
          const to = `${registry}/oras:1`;
          const options = ["cp", "-r", "--from-plain-http", "--to-plain-http"];
          await run("oras", [...options, nameOf(ours), to], { env, timeout });
          return accepts(there("oras"), "bundle");
        }),
        await outcomeOf(async () => {
          const tag = `sha256-${ours.digest.slice(7)}.sig`;
          const from = nameOf(ours).replace(/@.*/, "");
          for (const [one, other] of [
            [nameOf(ours), "1"],
            [`${from}:${tag}`, tag],
          ] as const) {
            await run("crane", ["copy", "--insecure", one, `${registry}/crane:${other}`], {
              env,
              timeout,
            });
          }
          return accepts(there("crane"), "legacy");
        }),
        await outcomeOf(async () => {
          const tag = `sha256-${ours.digest.slice(7)}.sig`;
          const from = nameOf(ours).replace(/@.*/, "");
          const options = [
            "--insecure-policy",
            "copy",
            "--preserve-digests",
            "--src-tls-verify=false",
            "--dest-tls-verify=false",
          ];
          for (const [one, other] of [
            [nameOf(ours), "1"],
            [`${from}:${tag}`, tag],
          ] as const) {
            await run(
              "skopeo",
              [...options, `docker://${one}`, `docker://${registry}/skopeo:${other}`],
              { env },
            );
          }
          return accepts(there("skopeo"), "legacy");
        }),
      ];
      expect(outcomes).toEqual(expected);
    });
  },
);
