import { resolve } from "node:path";
import { type PlanDocument, type PlannedChange } from "../../planner/changes/plan-document";
import { secretParts } from "../../planner/changes/masked-value";
import type { Properties } from "../../core/json/plain-json";
import { readConfiguration } from "../../planner/offline-plan/configuration";
import { secretsOf } from "../../planner/offline-plan/planner";
import { StackSecrets } from "../../planner/offline-plan/stack-secrets";
import { givenVariables, stackVariables, valueOf, variableFile } from "../stack/variables";

/**
 * Returns the sensitive values of a stack that can be known before its plan: those of its variables, and what its
 * expressions make of them. Messages of providers quote values, and Terraform passes them on.
 *
 * @param content the configuration of the stack
 * @param options the options of `terraform plan`, in their order
 */
export async function knownSecrets(
  content: Properties,
  folder: string,
  options: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<StackSecrets> {
  const configuration = readConfiguration(content);
  const isSensitive = [...configuration.variables.values()].some(
    ({ sensitive }) => sensitive === true,
  );
  if (!isSensitive) return new StackSecrets();
  const { environment } = await givenVariables({}, env);
  const given: Record<string, unknown> = {};
  for (const [at, option] of options.entries()) {
    const [, name, value = options[at + 1] ?? ""] =
      /^--?(var|var-file)(?:=([^]*))?$/.exec(option) ?? [];
    const [, variable = "", text = ""] = /^([^=]*)=([^]*)$/.exec(value) ?? [];
    if (name === "var") given[variable] = valueOf(text);
    // What is wrong with a file, Terraform says.
    else if (name === "var-file") Object.assign(given, await variableFile(resolve(folder, value)));
  }
  return await secretsOf(
    configuration,
    await stackVariables({ environment, options: given }, folder),
  );
}

/** Adds the sensitive values of a plan, such as those of the state. */
export function addPlanned(secrets: StackSecrets, { resources, outputs }: PlanDocument): void {
  const add = ({ before, beforeSensitive, after, afterSensitive }: PlannedChange): void => {
    secrets.addPlain(secretParts({ value: before, sensitive: beforeSensitive }));
    secrets.addPlain(secretParts({ value: after, sensitive: afterSensitive }));
  };
  for (const { change } of [...resources, ...outputs]) add(change);
}
