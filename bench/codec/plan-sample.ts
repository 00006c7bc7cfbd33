import { ctyTypeOf } from "../../src/provider-kit/plan/cty-type";
import type { CtyObjectType } from "../../src/provider-kit/cty/type";
import type { CtyRecord } from "../../src/provider-kit/cty/value";
import { WireValues } from "../../src/provider-kit/testing";
import { UNKNOWN } from "../../src/schema";
import { endpoint } from "../../src/ids/endpoint/declare";

/** A program in this folder. */
export interface CodecProgram {
  /**
   * Encodes and decodes everything in a sample of its kind. Returns a number that depends on all of
   * it.
   */
  readonly take: (sample: PlanSample | ValueSample) => number;
}

/** Creates the samples for each kind of program, a different one for each index. */
export interface Samples {
  readonly protobuf: (index: number) => PlanSample;
  readonly msgpack: (index: number) => ValueSample;
}

/** The plan of one resource, as messages. */
export interface PlanSample {
  readonly typeName: string;
  readonly prior: Uint8Array;
  readonly config: Uint8Array;
  readonly planned: Uint8Array;
}

/** The values in such a plan, with their type. */
export interface ValueSample {
  readonly type: CtyObjectType;
  readonly config: CtyRecord;
  readonly planned: CtyRecord;
}

const values = new WireValues(endpoint);
const type = ctyTypeOf(endpoint);

/** Creates the values of a plan. */
export function valueSample(index: number): ValueSample {
  const given: CtyRecord = {
    endpointId: `edge-${index}`,
    network: "projects/demo/global/networks/main",
    severity: "HIGH",
    labels: { team: "network", index: String(index) },
    threatExceptions: ["100001", "100002", "100003"],
  };
  const none = Object.fromEntries(type.object.map(({ name }) => [name, null]));
  const open = Object.fromEntries(type.object.map(({ name }) => [name, UNKNOWN]));
  return {
    type,
    config: { ...none, ...given },
    planned: { ...open, ...given, description: null, timeouts: null },
  };
}

/** Creates the messages of a plan. */
export function planSample(index: number): PlanSample {
  const { config, planned } = valueSample(index);
  return {
    typeName: endpoint.type,
    prior: values.encode(null).msgpack,
    config: values.encode(config).msgpack,
    planned: values.encode(planned).msgpack,
  };
}
