import { readFile } from "node:fs/promises";
import type { ProviderCatalog } from "../../offline-plan/catalog";
import { readConfiguration } from "../../offline-plan/configuration";
import type { LocatedFinding, NotPlanned } from "../../offline-plan/offline-plan";
import { planOffline, providerNames } from "../../offline-plan/planner";
import { parseTrustedJson } from "../../json/plain-json";
import { type Changes, changesOf } from "../changes/changes";
import { planDocument } from "../changes/plan-document";
import { type Refusal, refusedChanges } from "../changes/refusal";
import { type Rename, renamesIn } from "../changes/renames";
import { CommandError } from "../invocation/command-error";
import type { Annotation, Stack } from "../synthesis/manifest";
import { configurationOf, type ConstructOf } from "../synthesis/stack-configuration";
import type { Diagnostic } from "../terraform/diagnostic";
import { baselineOf } from "./baseline";

/** The result of `trivet check` for a stack. Contains no secrets. */
export interface CheckedStack {
  readonly name: string;
  /** What the stack was compared with. */
  readonly comparedWith: string;
  /** Undefined if the stack has errors. */
  readonly changes: Changes | undefined;
  /** Resources that would be kept if Terraform knew that their constructs moved. */
  readonly renames: readonly Rename[];
  /** The addresses of changes that `--refuse` does not allow. */
  readonly refused: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly annotations: readonly Annotation[];
  /** What could not be planned, and why. */
  readonly notPlanned: readonly { readonly address: string; readonly reason: string }[];
}

/** The settings of a check. */
export interface CheckSettings {
  readonly catalog: ProviderCatalog;
  /** The path of a state file, or of a folder of synthesized stacks. */
  readonly against: string | undefined;
  readonly refusals: readonly Refusal[];
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Checks a synthesized stack, and plans it. */
export async function checkStack(
  stack: Stack,
  settings: CheckSettings,
): Promise<{ readonly checked: CheckedStack; readonly constructOf: ConstructOf }> {
  const { catalog, against, refusals, variables } = settings;
  if (!stack.file.endsWith(".json")) {
    throw new CommandError(
      `${stack.name} is synthesized to HCL, which trivet check does not read.`,
      "Unset SYNTH_HCL_OUTPUT, so that the library writes JSON.",
    );
  }
  const content = parseTrustedJson(await readFile(stack.file, "utf8"));
  const configuration = readConfiguration(content);
  const { state, description } = await baselineOf(stack, content, against, catalog);
  const providers = await catalog.start(providerNames(configuration));
  const plan = await planOffline({ configuration, state, providers, variables });
  const { constructOf } = configurationOf(content, stack);
  const document = planDocument({
    resource_changes: plan.resourceChanges,
    output_changes: plan.outputChanges,
  });
  const isBroken = plan.findings.some(({ severity }) => severity === "error");
  const changes = isBroken ? undefined : changesOf(document, constructOf);
  const checked: CheckedStack = {
    name: stack.name,
    comparedWith: description,
    changes,
    renames: isBroken ? [] : renamesIn(document),
    refused: (changes === undefined ? [] : refusedChanges(changes, refusals)).map(
      ({ address }) => address,
    ),
    diagnostics: plan.findings.map((finding) => diagnosticOf(finding, constructOf)),
    annotations: stack.annotations,
    notPlanned: plan.notPlanned.map((each) => ({
      address: each.address,
      reason: reasonText(each),
    })),
  };
  return { checked, constructOf };
}

function diagnosticOf(
  { severity, summary, detail, address, attribute }: LocatedFinding,
  constructOf: ConstructOf,
): Diagnostic {
  const { constructPath: _, ...place } = constructOf(address);
  return {
    severity,
    summary,
    detail,
    address,
    ...(attribute !== undefined && { attribute }),
    ...place,
  };
}

function reasonText({ why, reasons }: NotPlanned): string {
  switch (why) {
    case "other-provider":
      return "its provider cannot plan offline";
    case "module":
      return "modules are not planned offline";
    case "import":
      return "an import needs the network";
    case "network":
      return "needs the network";
    case "instances":
      return `the number of its instances depends on ${reasons.map(({ of }) => of).join(", ")}`;
  }
}
