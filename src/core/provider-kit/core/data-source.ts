import { isRecord } from "../../json/plain-json";
import type { Values } from "../../schema/resource-rule";
import { UNKNOWN } from "../../schema/type";
import { containsUnknown } from "../cty/value";
import { type CoreDiagnostic, hasErrors, readDiagnostics, refused } from "./diagnostic";
import { proposedState } from "./proposed-state";
import {
  type DeferralReason,
  type ObjectType,
  type ProviderCalls,
  readDeferral,
} from "./resource-calls";
import type { SchemaBlock } from "./schema";

/** Returns the value of a data source that is read later: values from the provider are unknown. */
export function readLater(schema: SchemaBlock, config: Values): Values | null {
  const proposed = proposedState(schema, UNKNOWN, config);
  return isRecord(proposed) ? proposed : null;
}

interface CheckedRead {
  /** The state; null when the read failed, or was deferred. */
  readonly state: Values | null;
  /** Why the provider has deferred the read; undefined if it has not. */
  readonly deferral: DeferralReason | undefined;
  readonly diagnostics: readonly CoreDiagnostic[];
}

/** Reads a data source, and checks the response as Terraform's core does. */
export async function askRead(
  provider: Pick<ProviderCalls, "readDataSource">,
  type: ObjectType,
  config: Values,
): Promise<CheckedRead> {
  const response = await provider.readDataSource({
    typeName: type.name,
    config: type.encode(config),
  });
  const diagnostics = readDiagnostics(response.diagnostics);
  const deferral = readDeferral(response);
  if (hasErrors(diagnostics) || deferral !== undefined) {
    return { state: null, deferral, diagnostics };
  }
  const state = type.decode(response.state) ?? null;
  const problem = (message: string) => [{ path: [], message }];
  if (state === null) {
    const summary = "Provider produced null object";
    diagnostics.push(...refused(type, summary, problem("the provider returned no state")));
  } else if (containsUnknown(state)) {
    const summary = "Provider produced invalid object";
    diagnostics.push(...refused(type, summary, problem("the provider left values unknown")));
  }
  return { state: hasErrors(diagnostics) ? null : state, deferral, diagnostics };
}
