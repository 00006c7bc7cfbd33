import { isObject, parsedJson, type Properties } from "../../core/json/plain-json";
import { ruleIn } from "../../core/schema";
import { detailOf, type Diagnostic } from "../../planner/changes/diagnostic";
import { type Output, readOutputs } from "../../planner/changes/plan-document";
import type { Acknowledgement, Annotation, Stack } from "../synthesis/manifest";
import type { StackConfiguration } from "../synthesis/stack-content";

/** A line of `terraform -json`, with the parts that are used here. */
export type TerraformMessage =
  | { readonly kind: "diagnostic"; readonly diagnostic: Diagnostic }
  | { readonly kind: "progress" | "waiting"; readonly text: string }
  | { readonly kind: "outputs"; readonly outputs: readonly Output[] }
  /** Output that is not a message, such as that of a crash. */
  | { readonly kind: "other"; readonly text: string };

/**
 * Reads a line of `terraform plan -json` or `terraform apply -json`.
 *
 * @returns undefined for messages that are not used
 * @see https://developer.hashicorp.com/terraform/internals/machine-readable-ui
 */
export function readMessage(line: string): TerraformMessage | undefined {
  const message = parsed(line);
  if (message === undefined) {
    return line.trim() === "" ? undefined : { kind: "other", text: line };
  }
  switch (message["type"]) {
    case "diagnostic":
      return { kind: "diagnostic", diagnostic: readDiagnostic(message["diagnostic"]) };
    case "state_lock_acquire":
      return { kind: "waiting", text: "waiting for the lock of the state" };
    case "outputs":
      return { kind: "outputs", outputs: readOutputs(message["outputs"]) };
    default: {
      const { type, hook } = message;
      const text = progressText(String(type), isObject(hook) ? hook : {});
      return text === undefined ? undefined : { kind: "progress", text };
    }
  }
}

const verbs: Readonly<Record<string, readonly [string, string]>> = {
  create: ["creating", "created"],
  update: ["changing", "changed"],
  delete: ["destroying", "destroyed"],
  read: ["reading", "read"],
};

function progressText(type: string, hook: Properties): string | undefined {
  const { resource, action, elapsed_seconds: elapsed, provisioner, output } = hook;
  const address = isObject(resource) ? String(resource["addr"]) : "";
  const [doing, done] = verbs[String(action)] ?? [String(action), String(action)];
  const seconds = Number(elapsed) >= 1 ? ` (${Number(elapsed)} s)` : "";
  switch (type) {
    case "apply_start":
      return `${address}: ${doing}`;
    case "apply_progress":
      return `${address}: still ${doing}${seconds}`;
    case "apply_complete":
      return `${address}: ${done}${seconds}`;
    case "apply_errored":
      return `${address}: failed${seconds}`;
    case "provision_progress":
      return `${address} (${String(provisioner)}): ${String(output).trimEnd()}`;
    default:
      return undefined;
  }
}

function parsed(line: string): Properties | undefined {
  const value = parsedJson(line);
  return isObject(value) && typeof value["type"] === "string" ? value : undefined;
}

/** Reads a diagnostic as Terraform writes it with `-json`. */
export function readDiagnostic(value: unknown): Diagnostic {
  const diagnostic: Properties = isObject(value) ? value : {};
  const snippet: Properties = isObject(diagnostic["snippet"]) ? diagnostic["snippet"] : {};
  const attribute = attributeIn(snippet);
  const address =
    textOf(diagnostic["address"]) || textOf(snippet["context"]).replace(/^resource\./, "");
  return {
    severity: diagnostic["severity"] === "warning" ? "warning" : "error",
    summary: textOf(diagnostic["summary"]),
    ...detailOf(textOf(diagnostic["detail"])),
    ...(address !== "" && { address }),
    ...(attribute !== undefined && { attribute }),
  };
}

/** Returns the attribute whose value is marked in a line of a configuration in JSON. */
function attributeIn({ code, highlight_start_offset: start }: Properties): string | undefined {
  const before = typeof start === "number" ? textOf(code).slice(0, start) : "";
  return /"(\w+)":\s*$/.exec(before)?.[1];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Adds to a warning about a resource who has acknowledged it. Returns anything else unchanged. */
export function withAcknowledgement(
  diagnostic: Diagnostic,
  { name, acknowledgements }: Pick<Stack, "name" | "acknowledgements">,
  { fullPathOf }: Pick<StackConfiguration, "fullPathOf">,
): Diagnostic {
  const { severity, code, address } = diagnostic;
  if (severity !== "warning" || code === undefined) return diagnostic;
  // A provider has no path in the configuration.
  const at = fullPathOf(address ?? "") ?? name;
  const nearest = acknowledgements
    .filter((each) => each.code === code && isWithin(at, each.path))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (nearest === undefined) return diagnostic;
  return { ...diagnostic, acknowledged: { path: nearest.path, reason: nearest.reason } };
}

const isWithin = (path: string, scope: string): boolean =>
  scope === "" || path === scope || path.startsWith(`${scope}/`);

/** Leaves out the notes about acknowledgements that match a warning of the plan. */
export function withoutMatched(
  annotations: readonly Annotation[],
  diagnostics: readonly Diagnostic[],
): readonly Annotation[] {
  const isMatched = ({ code, path, reason }: Acknowledgement): boolean =>
    diagnostics.some(
      ({ code: found, acknowledged }) =>
        found === code && acknowledged?.path === path && acknowledged.reason === reason,
    );
  return annotations.filter(
    ({ code, stale }) =>
      code === undefined || stale === undefined || !isMatched({ code, ...stale }),
  );
}

/** Leaves out warnings of providers that repeat what a construct has reported, in Terraform's words. */
export function withoutRepeated(
  diagnostics: readonly Diagnostic[],
  annotations: readonly Annotation[],
  { fullPathOf }: Pick<StackConfiguration, "fullPathOf">,
): readonly Diagnostic[] {
  const said = annotations.filter(({ level, code }) => level === "warning" && code !== undefined);
  return diagnostics.filter(({ severity, code, address, detail }) => {
    const at = fullPathOf(address ?? "");
    if (severity !== "warning" || at === undefined) return true;
    const found = ruleIn(detail);
    return !said.some(
      (each) =>
        each.code === code && isWithin(at, each.constructPath) && ruleIn(each.message) === found,
    );
  });
}
