import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PlaceholderOwner, placeholderOwner } from "../state/placeholder-facts";
import type { Terraform } from "../terraform/terraform";
import { type EvaluatedBlock, evaluatedBlocks } from "./evaluated-block";
import { makeEvaluatedFolder } from "./evaluated-folder";
import { type ParameterField, parameterField } from "./parameter-field";
import {
  error,
  knownText,
  platformValue,
  quoted,
  requiredText,
  textOf,
  valueOf,
} from "./platform-value";
import type { Preview, PreviewDiagnostic, PreviewedPreset, PreviewOwner } from "./preview";
import { ownerAttributes, startPreviewProvider } from "./preview-provider";
import { tagValues } from "./tag-values";
import { withTriedPresets } from "./tried-presets";
import { listOf, objectOf } from "../terraform/json-value";

export interface PreviewContext {
  readonly template: string;
  /** Prefix of the platform's types, such as `workspace_`. */
  readonly typePrefix: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly owner: PlaceholderOwner;
  readonly triesPresets: boolean;
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
  const { template, typePrefix, parameters, env, terraformIn, triesPresets } = context;
  const scratch = await mkdtemp(join(tmpdir(), "trivet-preview-"));
  const folder = join(scratch, "template");
  try {
    const terraform = terraformIn(folder);
    const getModules = () => terraform.getModules(env);
    const isShown = await makeEvaluatedFolder(template, folder, { typePrefix, getModules });
    if (!isShown) return previewOf([], typePrefix, parameters, []);
    const evaluated = (values: PreviewContext["parameters"]) =>
      evaluate(terraform, context, values);
    const preview = await evaluated(parameters);
    return triesPresets ? await withTriedPresets(preview, evaluated) : preview;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Evaluates the reduced copy of a template with values of parameters. */
async function evaluate(
  terraform: Terraform,
  { typePrefix, variables, ...context }: PreviewContext,
  parameters: PreviewContext["parameters"],
): Promise<Preview> {
  const owner = ownerAttributes(context.owner);
  const provider = await startPreviewProvider({ typePrefix, parameters, owner });
  try {
    const env = { ...context.env, ...provider.env };
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
    presets: presetChoices(all("workspace_preset")),
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

/** Reads the presets as the platform does, without checking their values against the parameters. */
function presetChoices(blocks: readonly EvaluatedBlock[]): readonly PreviewedPreset[] {
  const presets: PreviewedPreset[] = [];
  for (const block of blocks) {
    const name = requiredText(block, "name");
    const isDefault = block.values["default"] === true;
    const first = presets.find((preset) => preset.isDefault);
    const parameters = Object.fromEntries(
      Object.entries(objectOf(block.values["parameters"])).flatMap(([key, value]) => {
        const text = knownText(platformValue(value));
        return text === undefined ? [] : [[key, text] as const];
      }),
    );
    presets.push({
      name: "text" in name ? name.text : "",
      description: textOf(block, "description"),
      icon: textOf(block, "icon"),
      isDefault,
      parameters,
      prebuilds: prebuildsOf(block),
      diagnostics: [
        ...("problem" in name ? [name.problem] : []),
        ...(isDefault && first !== undefined
          ? [
              error(
                "Multiple default presets",
                `Only one preset can be marked as default. ${quoted(first.name)} is already marked as default`,
              ),
            ]
          : []),
      ],
    });
  }
  return presets;
}

function prebuildsOf({ values }: EvaluatedBlock): number {
  const { instances } = objectOf(listOf(values["prebuilds"])[0]);
  return typeof instances === "number" ? instances : 0;
}

/** Returns the owner of a preview, with placeholders for missing data. */
export function previewOwner({ name, ...given }: PreviewOwner = { name: "dev" }): PlaceholderOwner {
  const placeholder = placeholderOwner("preview", name);
  const { rbacRoles } = given;
  return {
    ...placeholder,
    id: given.id ?? placeholder.id,
    fullName: given.fullName ?? placeholder.fullName,
    email: given.email ?? placeholder.email,
    loginType: given.loginType ?? placeholder.loginType,
    groups: given.groups ?? placeholder.groups,
    sshPublicKey: given.sshPublicKey ?? placeholder.sshPublicKey,
    rbacRoles:
      rbacRoles?.map((role) => ({ name: role.name, org_id: role.orgId })) ?? placeholder.rbacRoles,
  };
}
