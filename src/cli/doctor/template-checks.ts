import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { archiveProblem, templateArchive } from "../../workspace/local/terraform/template-archive";
import { type Check, type Observation, ok, problem } from "./check";
import { stackFolders } from "./stack-checks";

/** Sources of the providers whose stacks are templates for a platform. */
const templateProvider = /"source": "(?:coder\/coder|trivet\.local\/trivet\/workspace)"/;

/** Measures the workspace templates among cdktf's stacks. */
export const checkTemplates: Check = async ({ around }) => {
  const observations: Observation[] = [];
  for (const folder of await stackFolders(around.workingFolder)) {
    const main = await readFile(join(folder, "cdk.tf.json"), "utf8").catch(() => "");
    if (!templateProvider.test(main)) continue;
    const archive = await templateArchive(folder);
    const found = archiveProblem(archive);
    observations.push(
      found === undefined
        ? ok(`${folder} takes ${archive.bytes} bytes as a template`)
        : problem(`${folder} is too big for a platform: ${found.message}`, found.cure),
    );
  }
  return observations;
};
