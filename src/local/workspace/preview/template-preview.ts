import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PlaceholderOwner, placeholderOwner } from "../state/placeholder-facts";
import type { Terraform } from "../terraform/terraform";
import { copyTemplate } from "../terraform/template-archive";
import { templateFindings } from "./template-findings";
import { declaredVariables, givenVariables } from "./configuration-file";
import type { TerraformDiagnostic } from "../terraform/terraform-diagnostic";
import { type EvaluatedBlock, evaluatedBlocks, isUnread, withValue } from "./evaluated-block";
import { EvaluatedFolder } from "./evaluated-folder";
import type { ModuleFolders } from "./module-folders";
import { Repairs } from "./repairs";
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
import { unknownNumber } from "./preview-text";
import { tagValues, withTriedPresets } from "./tags-and-presets";
import { listOf, objectOf } from "../terraform/json-value";

export interface PreviewContext {
  readonly template: string;
  /** Prefix of the platform's types, such as `workspace_`. */
  readonly typePrefix: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly owner: PlaceholderOwner;
  readonly triesPresets: boolean;
  /** The version of coder to behave like. */
  readonly platformVersion: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly modules: ModuleFolders;
  readonly terraformIn: (folder: string) => Terraform;
}

const planFile = "preview.tfplan";
/** The maximum number of evaluations of a template, each without the parts that Terraform has refused. */
const mostRounds = 20;
/** The prefix of coder's provider, which behaves differently in some cases. */
const coderPrefix = "coder_";

/**
 * Evaluates the parts of a template that the platform evaluates before it runs Terraform.
 *
 * Here, Terraform evaluates them, in a copy of the template that contains nothing else. A provider in this process
 * replaces the platform's provider and refuses nothing, so that as many values as possible are known. The platform's
 * checks follow.
 *
 * @throws LocalPlatformError if Terraform cannot be run, or was interrupted
 */
export async function previewTemplate(context: PreviewContext): Promise<Preview> {
  const { template, typePrefix, parameters, variables, env, modules, terraformIn } = context;
  const scratch = await mkdtemp(join(tmpdir(), "trivet-preview-"));
  const copy = join(scratch, "template");
  try {
    const terraform = terraformIn(copy);
    await copyTemplate(template, copy);
    // It has the names of removed providers.
    await rm(join(copy, ".terraform.lock.hcl"), { force: true });
    const loaded = await modules.load(template, copy, () => terraform.getModules(env));
    const given = await givenVariables(copy, variables, env);
    const open = declaredVariables(loaded.files).filter(({ name }) => !given.has(name));
    const names = new Set(open.map(({ name }) => name));
    const folder = new EvaluatedFolder(copy, typePrefix, loaded, names);
    const found = templateFindings(loaded, open, typePrefix);
    const evaluated = async (values: PreviewContext["parameters"]) => {
      const { blocks, diagnostics } = await evaluate(folder, terraform, context, values);
      return previewOf(blocks, typePrefix, values, [...found, ...diagnostics]);
    };
    const preview = await evaluated(parameters);
    return context.triesPresets
      ? await withTriedPresets(preview, evaluated, context.platformVersion)
      : preview;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Evaluation {
  readonly blocks: readonly EvaluatedBlock[];
  readonly diagnostics: readonly PreviewDiagnostic[];
}

/**
 * Evaluates the reduced copy of a template with values of parameters.
 *
 * A parameter without a value has an unknown value in the form, but the empty string in an import. Terraform's
 * diagnostics are those for the empty string.
 */
async function evaluate(
  folder: EvaluatedFolder,
  terraform: Terraform,
  context: PreviewContext,
  parameters: PreviewContext["parameters"],
): Promise<Evaluation> {
  const seen = { ...context, parameters };
  const form = await repaired(folder, terraform, seen, false);
  const isCertain = !form.isOpen && form.diagnostics.every(({ severity }) => severity !== "error");
  if (isCertain) return form;
  return { ...form, diagnostics: (await repaired(folder, terraform, seen, true)).diagnostics };
}

/** Evaluates the copy until Terraform reports no errors, each time without the parts that it has refused. */
async function repaired(
  folder: EvaluatedFolder,
  terraform: Terraform,
  { typePrefix, parameters, variables, owner, env: own }: PreviewContext,
  isImport: boolean,
): Promise<Evaluation & { readonly isOpen: boolean }> {
  const inputs = { typePrefix, parameters, owner: ownerAttributes(owner), isImport };
  const provider = await startPreviewProvider(inputs);
  const env = { ...own, ...provider.env };
  const repairs = new Repairs();
  const found = new Map<string, PreviewDiagnostic>();
  const first = new Map<string, EvaluatedBlock>();
  try {
    for (let round = 1; ; round += 1) {
      const isOpen = await folder.write(isImport ? undefined : parameters, repairs);
      const reported = await terraform.tryPlan(planFile, env, variables);
      const errors = reported.filter(({ severity }) => severity === "error");
      const plan = await terraform.show(env, planFile).catch((failure: unknown) => {
        // A plan that failed early has no file.
        if (errors.length === 0) throw failure;
        return undefined;
      });
      const blocks = evaluatedBlocks(plan);
      const unread = blocks.filter(
        (block) => block.type === `${typePrefix}parameter` && isUnread(block),
      );
      for (const block of unread) first.set(block.address, block);
      // An unknown value may cause an error.
      if (unread.length > 0 && folder.keepValues(unread, repairs)) continue;
      for (const problem of reported) {
        const diagnostic = diagnosticAt(problem, folder.origin(problem)?.place);
        found.set(JSON.stringify(diagnostic), diagnostic);
      }
      const isRepaired = errors.map((problem) => {
        const origin = folder.origin(problem);
        return origin !== undefined && repairs.make(origin.file, origin.index, problem.summary);
      });
      if (round < mostRounds && isRepaired.includes(true)) continue;
      return {
        isOpen,
        blocks: blocks.map((block) => withValue(first.get(block.address) ?? block, block)),
        diagnostics: [...found.values()],
      };
    }
  } finally {
    provider.close();
  }
}

function diagnosticAt(
  { severity, summary, detail, place: reported }: TerraformDiagnostic,
  place = reported,
): PreviewDiagnostic {
  const isCount = /^Invalid (?:count|for_each) argument$/.test(summary);
  if (isCount && /cannot be determined until apply|only.* known/.test(detail)) {
    return {
      severity: "warning",
      summary: unknownNumber,
      detail: `${summary.includes("count") ? "One" : "None"} is shown. The platform decides when it plans.`,
      place,
    };
  }
  return { isTerraforms: true, severity, summary, detail, place };
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
  const tags = tagValues(all("workspace_tags"));
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

/** Reads the presets as the platform does, without checks of their values against the parameters. */
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
export const previewOwner = (given: PreviewOwner = { name: "dev" }): PlaceholderOwner => ({
  ...placeholderOwner("preview", given.name),
  ...given,
});
