import { isOverride, itemsIn } from "../../../core/hcl/configuration-blocks";
import { bodiesOf } from "../terraform/json-value";
import {
  type ConfigurationFile,
  type DeclaredVariable,
  lineAt,
  type ModuleCall,
} from "./configuration-file";
import { isParameter } from "./rewritten-code";
import type { LoadedModules } from "./module-folders";
import type { PreviewDiagnostic } from "./preview";

/**
 * What is found in the files of a template before Terraform evaluates them.
 *
 * @param open the variables without a value
 */
export function templateFindings(
  { files, missing }: LoadedModules,
  open: readonly DeclaredVariable[],
  typePrefix: string,
): readonly PreviewDiagnostic[] {
  return [
    ...missing.map(notLoaded),
    ...open.map(withoutValue),
    ...files.flatMap((file) => unnamedIn(file, typePrefix)),
  ];
}

/** In the words of the platform's library. */
function notLoaded({ file: { path, text }, name, item }: ModuleCall): PreviewDiagnostic {
  const [line, code] = item === undefined ? [undefined, ""] : lineAt(text, item.from);
  return {
    severity: "warning",
    summary: "Module not loaded. Did you run `terraform init`?",
    detail: `Module 'module "${name}"' in file "${path}${line === undefined ? "" : `:${line}`}" cannot be resolved. This module will be ignored.`,
    place: { file: path, line, context: "", code, values: [] },
  };
}

function withoutValue({ name, file: { path, text }, index }: DeclaredVariable): PreviewDiagnostic {
  const [line, code] = index === undefined ? [undefined, ""] : lineAt(text, index);
  return {
    severity: "warning",
    summary: `The variable "${name}" has no value`,
    detail: `What depends on it is not known. Pass it with --var ${name}=… or in a file with --var-file.`,
    place: { file: path, line, context: "", code, values: [] },
  };
}

/** The platform reads each file on its own, also one that overrides others: a parameter needs its name there, too. */
function unnamedIn(
  { path, folder, text, code, items, json }: ConfigurationFile,
  typePrefix: string,
): readonly PreviewDiagnostic[] {
  if (folder !== "" || !isOverride(path)) return [];
  const native = items
    .filter(isParameter)
    .filter(({ start, end }) =>
      itemsIn(text, code, start, end).every(({ name }) => name !== "name"),
    )
    .map(({ labels, from }) => [labels[1] ?? "", ...lineAt(text, from)] as const);
  const inJson = bodiesOf(json?.["data"])
    .flatMap((types) => bodiesOf(types[`${typePrefix}parameter`]).flatMap(Object.entries))
    .filter(([, body]) => bodiesOf(body).every((each) => !("name" in each)))
    .map(([label]) => [label, undefined, ""] as const);
  return [...native, ...inJson].map(([label, line, shown]) => ({
    severity: "error",
    summary: `Missing required attribute "name" for block "${typePrefix}parameter.${label}"`,
    detail:
      "The platform reads each file on its own, also one that overrides others: repeat the name.",
    place: { file: path, line, context: "", code: shown, values: [] },
  }));
}
