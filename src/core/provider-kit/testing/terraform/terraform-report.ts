import { isRecord, parseTrustedJson, type Properties } from "../../../json/plain-json";

/** An error or a warning of Terraform. */
export interface TerraformDiagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  /** The resource to blame, such as `ids_endpoint.edge`. */
  readonly address: string | undefined;
}

/** The action that Terraform plans for one resource. */
export type TerraformAction = "no-op" | "create" | "read" | "update" | "delete" | "replace";

/** The planned change of one resource. */
export interface TerraformChange {
  readonly address: string;
  readonly action: TerraformAction;
  /** The values in the state, or undefined for a creation. */
  readonly before: Readonly<Record<string, unknown>> | undefined;
  /** The planned values without the unknown ones, or undefined for a deletion. */
  readonly after: Readonly<Record<string, unknown>> | undefined;
  /** `true` for each value that is known only after the apply, in the shape of the values. */
  readonly afterUnknown: Readonly<Record<string, unknown>>;
  /** The planned paths that require a replacement. */
  readonly replacePaths: readonly (readonly (string | number)[])[];
}

export interface TerraformPlan {
  /** The changes of all resources by address, including those with the action `no-op`. */
  readonly changes: ReadonlyMap<string, TerraformChange>;
  readonly warnings: readonly TerraformDiagnostic[];
}

/** The content of the messages of a plan or an apply. */
export interface TerraformReport {
  readonly diagnostics: readonly TerraformDiagnostic[];
  /** The planned actions by address, without `no-op`. */
  readonly actions: ReadonlyMap<string, TerraformAction>;
  /** The names of outputs that the plan changes. */
  readonly changedOutputs: readonly string[];
  /** The addresses of resources that differ from the state because of changes outside Terraform. */
  readonly drifted: readonly string[];
}

/** The values of resources and outputs in a state. */
export interface TerraformValues {
  /** By address, in Terraform's names. Data sources have addresses such as `data.shop_saw.one`. */
  readonly resources: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** All sensitive strings among the values of resources. */
  readonly secrets: readonly string[];
}

/** The error for a failed command. The message contains Terraform's report. */
export class TerraformFailure extends Error {
  override readonly name = "TerraformFailure";

  constructor(
    readonly command: string,
    readonly diagnostics: readonly TerraformDiagnostic[],
    output: string,
  ) {
    const reported = diagnostics.filter(({ severity }) => severity === "error").map(diagnosticText);
    super([`${command} failed`, ...(reported.length > 0 ? reported : [output.trim()])].join("\n"));
  }
}

/** Formats a diagnostic: the resource, the problem and the details. */
export const diagnosticText = ({ address, summary, detail }: TerraformDiagnostic): string =>
  [address, summary, detail].filter(Boolean).join(": ");

/** Reads the output of a command with `-json`: one message in each line. */
export function parseReport(output: string): TerraformReport {
  const messages = output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map(parseTrustedJson)
    .filter(isRecord);
  const diagnostics = messages.flatMap(({ diagnostic }) =>
    isRecord(diagnostic) ? [diagnosticOf(diagnostic)] : [],
  );
  const changed = (type: string): readonly (readonly [string, string])[] =>
    messages
      .filter((message) => message["type"] === type)
      .map(({ change }) => {
        const { resource, action } = recordOf(change) ?? {};
        return [textOf(recordOf(resource)?.["addr"]), textOf(action)];
      });
  return {
    // Terraform reports a warning of the validation again when it plans.
    diagnostics: [...new Map(diagnostics.map((each) => [JSON.stringify(each), each])).values()],
    actions: new Map(
      changed("planned_change").flatMap(([address, action]) => {
        const known = actionNames.find((name) => name === action);
        return known === undefined ? [] : [[address, known] as const];
      }),
    ),
    changedOutputs: messages.flatMap(({ type, outputs }) =>
      type === "outputs"
        ? Object.entries(recordOf(outputs) ?? {}).flatMap(([name, output]) => {
            const action = textOf(recordOf(output)?.["action"]);
            return action === "" || action === "noop" ? [] : [name];
          })
        : [],
    ),
    drifted: changed("resource_drift").map(([address]) => address),
  };
}

/** Reads the output of `show -json` for a plan. */
export function parsePlan(shown: string): ReadonlyMap<string, TerraformChange> {
  const changes = listOf(recordOf(parseTrustedJson(shown))?.["resource_changes"]).map(changeOf);
  return new Map(changes.map((change) => [change.address, change]));
}

/** Reads the output of `show -json` for a state. */
export function parseValues(shown: string): TerraformValues {
  const values = recordOf(recordOf(parseTrustedJson(shown))?.["values"]) ?? {};
  const resources = resourcesIn(recordOf(values["root_module"]) ?? {});
  return {
    resources: Object.fromEntries(
      resources.map((each) => [textOf(each["address"]), recordOf(each["values"]) ?? {}]),
    ),
    outputs: Object.fromEntries(
      Object.entries(recordOf(values["outputs"]) ?? {}).map(([name, output]) => [
        name,
        recordOf(output)?.["value"],
      ]),
    ),
    secrets: resources.flatMap((each) => textsAt(each["sensitive_values"], each["values"])),
  };
}

/** Reads the diagnostics of `validate -json`. */
export const parseValidation = (output: string): readonly TerraformDiagnostic[] =>
  listOf(recordOf(parseTrustedJson(output))?.["diagnostics"]).map(diagnosticOf);

function resourcesIn(module: Properties): readonly Properties[] {
  const { resources, child_modules: children } = module;
  return [
    ...listOf(resources).filter(isRecord),
    ...listOf(children).filter(isRecord).flatMap(resourcesIn),
  ];
}

function textsAt(marks: unknown, value: unknown): readonly string[] {
  if (marks === true) return textsIn(value);
  if (!isRecord(marks) || !isRecord(value)) return [];
  return Object.entries(marks).flatMap(([key, mark]) => textsAt(mark, value[key]));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

function diagnosticOf(value: unknown): TerraformDiagnostic {
  const { severity, summary, detail, address } = recordOf(value) ?? {};
  return {
    severity: severity === "warning" ? "warning" : "error",
    summary: textOf(summary),
    detail: textOf(detail),
    address: textOf(address) || undefined,
  };
}

function changeOf(value: unknown): TerraformChange {
  const { address, change } = recordOf(value) ?? {};
  const { actions, before, after, ...rest } = recordOf(change) ?? {};
  const names = listOf(actions).map(textOf);
  return {
    address: textOf(address),
    action: names.length > 1 ? "replace" : actionOf(names[0]),
    before: recordOf(before),
    after: recordOf(after),
    afterUnknown: recordOf(rest["after_unknown"]) ?? {},
    replacePaths: listOf(rest["replace_paths"]).map((path) =>
      listOf(path).filter((step) => typeof step === "string" || typeof step === "number"),
    ),
  };
}

const actionNames = ["no-op", "create", "read", "update", "delete", "replace"] as const;

function actionOf(name: string | undefined): TerraformAction {
  const action = actionNames.find((each) => each === name);
  if (action === undefined) throw new Error(`Terraform planned an unknown action: ${name}`);
  return action;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const recordOf = (value: unknown): Properties | undefined => (isRecord(value) ? value : undefined);
