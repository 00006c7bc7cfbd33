import { join } from "node:path";
import { exists } from "../invocation/command-environment";
import { hashIfPackage } from "../provider-package/package-content";
import type { BuiltPackage } from "../package/built-package";
import { providerFolder, providerSource, stackMirror } from "../package/mirror";
import { type Check, type Examined, type Observation, ok, problem } from "./check";
import { requiredProviders } from "../stack/required-providers";
import { stackFolders } from "./stack-checks";
import { isSupportedNode } from "./tool-checks";

/** Finds providers that are not built, not installed, outdated or unable to start. */
export const checkProviders: Check = async (examined) => {
  const { built, around } = examined;
  if (built === undefined) {
    return problem(
      "The providers are not built.",
      "Run `npm run build` in the checkout, or reinstall the package.",
    );
  }
  const folders = await stackFolders(around.workingFolder);
  const required = (await Promise.all(folders.map(requiredProviders))).flat();
  return await Promise.all(
    built.map((provider) => {
      const source = providerSource(provider.name);
      const isNeeded = required.some((each) => each.source === source);
      return checkProvider(provider, examined, isNeeded);
    }),
  );
};

async function checkProvider(
  { name, version, folder, executable }: BuiltPackage,
  { around, mirror, platform, nodeVersion, run }: Examined,
  isNeeded: boolean,
): Promise<Observation> {
  const installed = join(providerFolder(mirror, name), version, platform);
  if (!(await exists(installed))) {
    if (!isNeeded) {
      return ok(
        `${name} ${version} is not installed, and no synthesized stack requires it; ` +
          "`trivet plan` and `trivet deploy` install what a stack requires",
      );
    }
    const forStacks = join(providerFolder(stackMirror(around), name), version, platform);
    if (await exists(forStacks)) {
      return ok(
        `${name} ${version} is installed for \`trivet plan\` and \`trivet deploy\`; other commands find it with ` +
          "`trivet exec`, or after `trivet install`",
      );
    }
    return problem(
      `${name} ${version} is not installed in ${mirror}. Terraform would say "could not query ` +
        `provider registry for ${providerSource(name)}", because that host does not exist.`,
      "Run `trivet install`, or run the command through `trivet exec -- …`.",
    );
  }
  const hash = await hashIfPackage(folder);
  if (hash === undefined || (await hashIfPackage(installed)) !== hash) {
    return problem(
      `${name} ${version} in ${mirror} is not this build.`,
      "Run `trivet install --force`, then delete the stacks' .terraform.lock.hcl.",
    );
  }
  // checkNode reports it, with the cure.
  if (!isSupportedNode(nodeVersion)) return ok(`${name} ${version} is installed (${installed})`);
  const started = await run(join(installed, executable), ["--version"]);
  if (started.kind === "ended" && started.ok) {
    return ok(`${name} ${version} is installed and starts (${installed})`);
  }
  const output =
    started.kind === "ended"
      ? `${started.stdout}${started.stderr}`.trim().slice(0, 300)
      : "it is missing";
  return problem(
    `${name} ${version} does not start: ${output}`,
    `Check that ${join(installed, executable)} is executable and that node is on PATH.`,
  );
}
