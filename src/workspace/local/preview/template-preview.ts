import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlaceholderOwner } from "../state/placeholder-facts";
import type { Terraform } from "../terraform/terraform";
import { type EvaluatedBlock, evaluatedBlocks } from "./evaluated-block";
import { makeEvaluatedFolder } from "./evaluated-folder";
import { type ParameterField, parameterField } from "./parameter-field";
import { knownText, quoted, textOf, valueOf } from "./platform-value";
import { presetChoices } from "./preset-choice";
import type { Preview, PreviewDiagnostic } from "./preview";
import { ownerAttributes, startPreviewProvider } from "./preview-provider";
import { tagValues } from "./tag-values";

/** The settings of the platform for a preview. */
export interface PreviewContext {
  /** The template's folder. */
  readonly template: string;
  /** Prefix of the platform's types, such as `workspace_`. */
  readonly typePrefix: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly owner: PlaceholderOwner;
  /** The environment of Terraform. */
  readonly env: NodeJS.ProcessEnv;
  readonly terraformIn: (folder: string) => Terraform;
}

const planFile = "preview.tfplan";
/** The prefix of coder's provider, which behaves differently in some cases. */
const coderPrefix = "coder_";

/**
 * Evaluates the parts of a template that the platform evaluates before it runs Terraform.
 *
 * Here, Terraform itself evaluates them, in a copy of the template that contains nothing else. A provider in
 * this process replaces the platform's and refuses nothing, so that as many values as possible are known. The
 * platform's objections are checked afterwards.
 *
 * @throws LocalPlatformError if Terraform cannot be run, or was interrupted
 */
export async function previewTemplate(context: PreviewContext): Promise<Preview> {
  const { template, typePrefix, parameters, variables, terraformIn } = context;
  const scratch = await mkdtemp(join(tmpdir(), "trivet-preview-"));
  const folder = join(scratch, "template");
  const owner = ownerAttributes(context.owner);
  const provider = await startPreviewProvider({ typePrefix, parameters, owner });
  try {
    const env = { ...context.env, ...provider.env };
    const terraform = terraformIn(folder);
    const getModules = () => terraform.getModules(env);
    const isShown = await makeEvaluatedFolder(template, folder, { typePrefix, getModules });
    if (!isShown) return previewOf([], typePrefix, parameters, []);
    const diagnostics = await terraform.tryPlan(planFile, env, variables);
    const isPlanned = diagnostics.every(({ severity }) => severity !== "error");
    const plan = await terraform.show(env, planFile).catch((failure: unknown) => {
      // A plan that failed early has no file.
      if (isPlanned) throw failure;
      return undefined;
    });
    const problems = diagnostics.map(({ severity, summary, detail }) => ({
      severity,
      summary,
      detail,
    }));
    return previewOf(evaluatedBlocks(plan), typePrefix, parameters, problems);
  } finally {
    provider.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

function previewOf(
  blocks: readonly EvaluatedBlock[],
  typePrefix: string,
  inputs: Readonly<Record<string, string>>,
  diagnostics: readonly PreviewDiagnostic[],
): Preview {
  const all = (noun: string) => blocks.filter(({ type }) => type === typePrefix + noun);
  const read = all("parameter").map((block) =>
    parameterField(block, inputs, typePrefix === coderPrefix),
  );
  const fields = read
    .flatMap((field) => ("problems" in field ? [] : [field]))
    .sort((one, other) => inOrder(one.parameter, other.parameter));
  const withoutValue = fields.filter(({ parameter }) => parameter.value === undefined);
  const open = withoutValue.map(({ reference }) => `${reference}.value`);
  const tags = tagValues(all("workspace_tags"), open);
  return {
    parameters: fields.map(({ parameter }) => parameter),
    presets: presetChoices(all("workspace_preset"), fields),
    tags: tags.tags,
    secrets: all("secret").map((block) => ({
      env: knownText(valueOf(block, "env")),
      file: knownText(valueOf(block, "file")),
      helpMessage: textOf(block, "help_message"),
    })),
    externalAuth: all("external_auth").map((block) => ({
      id: textOf(block, "id"),
      optional: block.values["optional"] === true,
    })),
    diagnostics: [
      ...diagnostics,
      ...read.flatMap((field) => ("problems" in field ? field.problems : [])),
      ...duplicates(fields),
      ...tags.diagnostics,
    ],
  };
}

interface Ordered {
  readonly name: string;
  readonly order: number;
}

function inOrder(one: Ordered, other: Ordered): number {
  if (one.order !== other.order || one.name === other.name) return one.order - other.order;
  return one.name < other.name ? -1 : 1;
}

function duplicates(fields: readonly ParameterField[]): readonly PreviewDiagnostic[] {
  return [...new Set(fields.map(({ parameter }) => parameter.name))].flatMap((name) => {
    const same = fields.filter(({ parameter }) => parameter.name === name);
    if (same.length < 2) return [];
    return [
      {
        severity: "error" as const,
        summary: `Found ${same.length} duplicate parameters with name ${quoted(name)}, this is not allowed`,
        detail: same.map(({ label }) => `block "data.${label}"`).join("\n"),
      },
    ];
  });
}
