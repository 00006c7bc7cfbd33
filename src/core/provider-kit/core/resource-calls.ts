import { isRecord } from "../../json/plain-json";
import type { Values } from "../../schema/resource-rule";
import type { Path } from "../../schema/finding";
import { unknownPath, withoutUnknown, type CtyValue } from "../cty/value";
import type { CallOptions } from "../wire/grpc/grpc-client";
import type { Decoded, Encodable } from "../wire/grpc/protobuf";
import type { providerMethods } from "../wire/tfplugin6/tfplugin6";
import type {
  Deferred,
  DynamicValue,
  ResourceIdentityData,
  ResourceIdentityDataInit,
} from "../wire/tfplugin6/tfplugin6-value";
import {
  type CoreDiagnostic,
  hasErrors,
  readDiagnostics,
  readPath,
  refused,
  type Problem,
} from "./diagnostic";
import { planProblems } from "./plan-problems";
import { proposedState } from "./proposed-state";
import { resultProblems } from "./result-problems";
import type { SchemaBlock } from "./schema";

type ProviderMethods = typeof providerMethods;

/**
 * Every procedure of Terraform's plugin protocol, as a typed method. A procedure that streams returns its events
 * one by one.
 */
export type ProviderCalls = {
  readonly [K in keyof ProviderMethods]: (
    request: Encodable<ProviderMethods[K]["request"]>,
    options?: CallOptions,
  ) => ProviderMethods[K]["kind"] extends "serverStream"
    ? AsyncIterable<Decoded<ProviderMethods[K]["response"]>>
    : Promise<Decoded<ProviderMethods[K]["response"]>>;
};

/** A type of objects of a provider, and how their values are encoded. */
export interface ObjectType {
  /** Such as `ids_endpoint`. */
  readonly name: string;
  readonly schema: SchemaBlock;
  /** @param values null for an object that does not exist */
  readonly encode: (values: Values | null) => { readonly msgpack: Uint8Array };
  /** @returns undefined for an object that does not exist */
  readonly decode: (message: DynamicValue | undefined) => Values | undefined;
}

/** A type of managed resources, whose objects may have identities. */
export interface ResourceType extends ObjectType {
  /** Undefined for a type without identities. */
  readonly identities?: Identities | undefined;
  /** Returns what to do if a final plan differs at a path, to append to a message. */
  readonly cureOf?: ((path: Path) => string) | undefined;
}

interface Identities {
  readonly encode: (values: Values | undefined) => ResourceIdentityDataInit | undefined;
  readonly decode: (data: ResourceIdentityData | undefined) => Values | undefined;
}

/** Why a provider defers something to a later run. */
export type DeferralReason = Exclude<Deferred["reason"], "UNKNOWN">;

/** What a provider plans in one call. */
export interface CheckedPlan {
  /** The planned state; null for a destruction, and when the plan failed. */
  readonly planned: Values | null;
  /** The paths that require a replacement, in Terraform's names. */
  readonly requiresReplace: readonly Path[];
  /** The planned identity; undefined for a resource without one. */
  readonly identity: Values | undefined;
  readonly private: Uint8Array;
  /** Why the provider defers the change to a later run; undefined if it does not. */
  readonly deferral: DeferralReason | undefined;
  readonly diagnostics: readonly CoreDiagnostic[];
}

interface PlanRequest {
  /** The configuration; null to destroy, for which Terraform asks only a provider with the capability `plan_destroy`. */
  readonly config: Values | null;
  readonly prior: Values | null;
  readonly priorPrivate: Uint8Array;
  readonly priorIdentity?: Values | undefined;
  /** That of an earlier plan. */
  readonly plannedPrivate?: Uint8Array | undefined;
}

/** Proposes a change to a provider, and checks its plan as Terraform's core does. */
export async function askPlan(
  provider: Pick<ProviderCalls, "planResourceChange">,
  type: ResourceType,
  { config, prior, priorPrivate, priorIdentity, plannedPrivate }: PlanRequest,
): Promise<CheckedPlan> {
  const proposed = config && proposedState(type.schema, prior, config);
  const response = await provider.planResourceChange({
    typeName: type.name,
    config: type.encode(config),
    priorState: type.encode(prior),
    proposedNewState: type.encode(isRecord(proposed) ? proposed : null),
    priorPrivate,
    priorIdentity: type.identities?.encode(priorIdentity),
    plannedPrivate,
  });
  const diagnostics = readDiagnostics(response.diagnostics);
  const failed: CheckedPlan = {
    planned: null,
    identity: type.identities?.decode(response.plannedIdentity),
    private: response.plannedPrivate,
    requiresReplace: response.requiresReplace.map(readPath),
    deferral: readDeferral(response),
    diagnostics,
  };
  if (hasErrors(diagnostics)) return failed;
  const planned = type.decode(response.plannedState) ?? null;
  const problems = planProblems(type.schema, prior, config, planned);
  diagnostics.push(...refused(type, "Provider produced invalid plan", problems));
  return problems.length > 0 ? failed : { ...failed, planned };
}

interface ApplyRequest {
  /** The configuration; null to destroy. */
  readonly config: Values | null;
  readonly prior: Values | null;
  readonly planned: Values | null;
  readonly plannedIdentity: Values | undefined;
  readonly plannedPrivate: Uint8Array;
}

interface CheckedResult {
  /** The new state; null when the resource does not exist. */
  readonly state: Values | null;
  readonly identity: Values | undefined;
  readonly private: Uint8Array;
  readonly diagnostics: readonly CoreDiagnostic[];
}

/** Lets a provider apply a change, and checks the result. */
export async function askApply(
  provider: Pick<ProviderCalls, "applyResourceChange">,
  type: ResourceType,
  { config, prior, planned, plannedIdentity, plannedPrivate }: ApplyRequest,
): Promise<CheckedResult> {
  const response = await provider.applyResourceChange({
    typeName: type.name,
    config: type.encode(config),
    priorState: type.encode(prior),
    plannedState: type.encode(planned),
    plannedPrivate,
    plannedIdentity: type.identities?.encode(plannedIdentity),
  });
  const diagnostics = readDiagnostics(response.diagnostics);
  const identity = type.identities?.decode(response.newIdentity);
  const state = type.decode(response.newState) ?? null;
  if (state === null && hasErrors(diagnostics)) {
    return { state, identity, private: response.private, diagnostics };
  }
  diagnostics.push(
    ...refused(type, "Provider returned invalid result object after apply", unknownProblems(state)),
    ...refused(type, invalidIdentity, identityProblems(identity)),
  );
  if (planned !== null && !hasErrors(diagnostics)) {
    const summary = "Provider produced inconsistent result after apply";
    diagnostics.push(...refused(type, summary, resultProblems(type.schema, planned, state)));
  }
  // A state contains no unknown values, whatever a provider returns.
  const known = state && (withoutUnknown(state as CtyValue) as Values);
  return { state: known, identity, private: response.private, diagnostics };
}

/** Returns why the provider has deferred; undefined if it has not. */
export const readDeferral = ({
  deferred,
}: {
  readonly deferred: Deferred | undefined;
}): DeferralReason | undefined =>
  deferred === undefined || deferred.reason === "UNKNOWN" ? undefined : deferred.reason;

/** Returns a problem for the first unknown value; empty when everything is known. */
export function unknownProblems(values: Values | null): Problem[] {
  const path = unknownPath(values);
  return path === undefined ? [] : [{ path, message: "the value is unknown" }];
}

/** The summary of Terraform's error for an identity that it refuses. */
export const invalidIdentity = "Provider produced invalid identity";

/** Returns the problems for which Terraform refuses the identity of an existing resource. */
export function identityProblems(identity: Values | undefined): Problem[] {
  if (identity === undefined || unknownPath(identity) === undefined) return [];
  return [{ path: [], message: "the identity contains unknown values" }];
}
