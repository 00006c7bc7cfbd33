import { readFile, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type PlanDocument, type PlannedChange } from "../../changes/plan-document";
import { secretParts } from "../../changes/masked-value";
import { evaluate } from "../../expression/evaluate";
import { parseExpression } from "../../expression/parse";
import { Value } from "../../expression/value";
import { parsedJson, propertiesOf } from "../../json/plain-json";
import { readConfiguration } from "../../offline-plan/configuration";
import { plainValue } from "../../offline-plan/plan-json";
import { secretsOf } from "../../offline-plan/planner";
import { StackSecrets } from "../../offline-plan/stack-secrets";
import { valueOf, variablesIn } from "../stack/variables";
import type { Stack } from "../synthesis/manifest";

/**
 * Returns the sensitive values of a stack that can be known before its plan: those of its variables, and what its
 * expressions make of them. Messages of providers quote values, and Terraform passes them on.
 *
 * @param options the options of `terraform plan`
 */
export async function knownSecrets(
  { file, folder }: Stack,
  options: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<StackSecrets> {
  const content = file.endsWith(".json") ? parsedJson(await readFile(file, "utf8")) : undefined;
  const configuration = readConfiguration(content);
  const isSensitive = [...configuration.variables.values()].some(
    ({ sensitive }) => sensitive === true,
  );
  if (!isSensitive) return new StackSecrets();
  const files = (await readdir(folder)).filter((each) =>
    /(?:^terraform|\.auto)\.tfvars/.test(each),
  );
  const values = variablesIn(env);
  const read = async (path: string): Promise<void> => {
    Object.assign(values, await valuesOf(path));
  };
  // Terraform reads `terraform.tfvars` first.
  for (const each of files.sort(
    (a, b) => Number(a.includes(".auto.")) - Number(b.includes(".auto.")),
  )) {
    await read(join(folder, each));
  }
  for (const [at, option] of options.entries()) {
    const [, name, value = options[at + 1] ?? ""] =
      /^--?(var|var-file)(?:=([^]*))?$/.exec(option) ?? [];
    const [, variable = "", text = ""] = /^([^=]*)=([^]*)$/.exec(value) ?? [];
    if (name === "var") values[variable] = valueOf(text);
    else if (name === "var-file") await read(resolve(folder, value));
  }
  return await secretsOf(configuration, values);
}

/** Reads a file of variables. What is wrong with it, Terraform says. */
async function valuesOf(path: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(path, "utf8").catch(() => "");
  if (path.endsWith(".json")) return propertiesOf(parsedJson(text));
  try {
    const scope = { variable: () => undefined, call: () => Value.unknown("dynamic") };
    return propertiesOf(plainValue(evaluate(parseExpression(`{\n${text}\n}`), scope)));
  } catch {
    return {};
  }
}

/** Adds the sensitive values of a plan, such as those of the state. */
export function addPlanned(secrets: StackSecrets, { resources, outputs }: PlanDocument): void {
  const add = ({ before, beforeSensitive, after, afterSensitive }: PlannedChange): void => {
    secrets.addPlain(secretParts({ value: before, sensitive: beforeSensitive }));
    secrets.addPlain(secretParts({ value: after, sensitive: afterSensitive }));
  };
  for (const { change } of [...resources, ...outputs]) add(change);
}
