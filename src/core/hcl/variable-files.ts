import { readdir } from "node:fs/promises";

/** Checks whether Terraform reads variables from a file without the option `-var-file`. */
export const isVariableFile = (name: string): boolean =>
  /^(?:terraform|.*\.auto)\.tfvars(?:\.json)?$/.test(name);

/** Returns the names of such files in a folder. Values in later files replace values in earlier ones. */
export async function variableFiles(folder: string): Promise<readonly string[]> {
  const isAutomatic = (name: string) => Number(name.includes(".auto."));
  return (await readdir(folder))
    .filter(isVariableFile)
    .sort((one, other) => isAutomatic(one) - isAutomatic(other) || (one < other ? -1 : 1));
}

/** Returns the variables in `TF_VAR_*`, as strings. */
export const environmentVariables = (
  env: NodeJS.ProcessEnv,
): readonly (readonly [name: string, text: string])[] =>
  Object.entries(env).flatMap(([key, text]) => {
    const name = /^TF_VAR_(.+)$/s.exec(key)?.[1];
    return name === undefined || text === undefined ? [] : [[name, text] as const];
  });
