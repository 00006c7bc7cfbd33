import { compile } from "../../../src/provider-kit/cty/codec/codec";
import type { CtyValue } from "../../../src/provider-kit/cty/value";
import { ctyTypeOf } from "../../../src/provider-kit/plan/cty-type";
import type { ProviderClient } from "../../../src/provider-kit/testing";
import type { Diagnostic, DynamicValue } from "../../../src/provider-kit/wire/tfplugin6/tfplugin6";
import type { Declaration } from "../../../src/schema";
import { type Values, whole } from "../plan/planning";

/** Values on the wire; what is left out is null, or no block. */
export function encode(declaration: Declaration, values: Values | null): { msgpack: Uint8Array } {
  const codec = compile(ctyTypeOf(declaration));
  const full = values === null ? null : (whole(declaration, values) as CtyValue);
  return { msgpack: codec.encode(full) };
}

export function decode(declaration: Declaration, value: DynamicValue | undefined): Values | null {
  if (value === undefined) throw new Error("there is no value");
  return compile(ctyTypeOf(declaration)).decode(value.msgpack) as Values | null;
}

/** `SEVERITY path summary` of each diagnostic. */
export const told = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(({ severity, summary, attribute }) => {
    const steps = attribute?.steps.map(
      (step) => step.attributeName ?? step.elementKeyString ?? step.elementKeyInt,
    );
    return `${severity} ${steps?.join(".") ?? "-"} ${summary}`;
  });

export const details = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");

const isError = ({ severity }: Diagnostic): boolean => severity === "ERROR";

/** Plans as Terraform does. */
export async function planned(
  provider: ProviderClient,
  declaration: Declaration,
  config: Values,
  prior: Values | null,
  priorPrivate: Uint8Array = new Uint8Array(),
) {
  const answer = await provider.planResourceChange({
    typeName: declaration.type,
    priorPrivate,
    config: encode(declaration, config),
    priorState: encode(declaration, prior),
    proposedNewState: encode(declaration, config),
  });
  const { plannedState, requiresReplace, diagnostics, plannedPrivate } = answer;
  return {
    planned: diagnostics.some(isError) ? null : decode(declaration, plannedState),
    replaces: requiresReplace.map(({ steps }) => steps[0]?.attributeName),
    private: plannedPrivate,
    diagnostics,
  };
}

/** Applies what was planned; null is a deletion. */
export async function applied(
  provider: ProviderClient,
  declaration: Declaration,
  plan: Values | null,
  prior: Values | null,
  plannedPrivate: Uint8Array = new Uint8Array(),
) {
  const answer = await provider.applyResourceChange({
    typeName: declaration.type,
    config: encode(declaration, plan),
    priorState: encode(declaration, prior),
    plannedState: encode(declaration, plan),
    plannedPrivate,
  });
  const { newState, diagnostics } = answer;
  return { state: decode(declaration, newState), private: answer.private, diagnostics };
}

/** Reads; the state is undefined when that failed, null when there is nothing any more. */
export async function read(
  provider: ProviderClient,
  declaration: Declaration,
  state: Values,
  privateState: Uint8Array = new Uint8Array(),
) {
  const answer = await provider.readResource({
    typeName: declaration.type,
    currentState: encode(declaration, state),
    private: privateState,
  });
  const { newState, diagnostics } = answer;
  return {
    state: diagnostics.some(isError) ? undefined : decode(declaration, newState),
    private: answer.private,
    diagnostics,
  };
}
