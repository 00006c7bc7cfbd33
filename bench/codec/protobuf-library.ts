// As protoc-gen-es generates it, for the messages of this one call; the messages of the whole protocol
// would load more slowly. Ours loads the tables of the whole protocol.
import { create, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { fileDesc, type GenMessage, messageDesc } from "@bufbuild/protobuf/codegenv2";
import type { PlanSample } from "./plan-sample";

/** Put in by the bundler: see `plan-descriptor.ts`, which has the order of the messages too. */
declare const PLAN_DESCRIPTOR: string;

interface DynamicValue extends Message<"tfplugin6.DynamicValue"> {
  msgpack: Uint8Array;
  json: Uint8Array;
}
interface AttributePath extends Message<"tfplugin6.AttributePath"> {
  steps: AttributePathStep[];
}
interface AttributePathStep extends Message<"tfplugin6.AttributePath.Step"> {
  selector:
    | { case: "attributeName" | "elementKeyString"; value: string }
    | { case: "elementKeyInt"; value: bigint }
    | { case: undefined; value?: undefined };
}
interface Diagnostic extends Message<"tfplugin6.Diagnostic"> {
  severity: number;
  summary: string;
  detail: string;
  attribute?: AttributePath;
}
interface Request extends Message<"tfplugin6.Request"> {
  typeName: string;
  priorState?: DynamicValue;
  proposedNewState?: DynamicValue;
  config?: DynamicValue;
  priorPrivate: Uint8Array;
}
interface Response extends Message<"tfplugin6.Response"> {
  plannedState?: DynamicValue;
  requiresReplace: AttributePath[];
  plannedPrivate: Uint8Array;
  diagnostics: Diagnostic[];
}

const file = /*@__PURE__*/ fileDesc(PLAN_DESCRIPTOR);
const DynamicValueSchema: GenMessage<DynamicValue> = /*@__PURE__*/ messageDesc(file, 0);
const StepSchema: GenMessage<AttributePathStep> = /*@__PURE__*/ messageDesc(file, 1);
const AttributePathSchema: GenMessage<AttributePath> = /*@__PURE__*/ messageDesc(file, 2);
const DiagnosticSchema: GenMessage<Diagnostic> = /*@__PURE__*/ messageDesc(file, 3);
const RequestSchema: GenMessage<Request> = /*@__PURE__*/ messageDesc(file, 4);
const ResponseSchema: GenMessage<Response> = /*@__PURE__*/ messageDesc(file, 5);

const warning = 2;

export function take({ typeName, prior, config, planned }: PlanSample): number {
  const value = (msgpack: Uint8Array) => create(DynamicValueSchema, { msgpack });
  const asked = fromBinary(
    RequestSchema,
    toBinary(
      RequestSchema,
      create(RequestSchema, {
        typeName,
        priorState: value(prior),
        proposedNewState: value(config),
        config: value(config),
      }),
    ),
  );
  const step = create(StepSchema, { selector: { case: "attributeName", value: "network" } });
  const answered = fromBinary(
    ResponseSchema,
    toBinary(
      ResponseSchema,
      create(ResponseSchema, {
        plannedState: value(planned),
        requiresReplace: [create(AttributePathSchema, { steps: [step] })],
        diagnostics: [
          create(DiagnosticSchema, {
            severity: warning,
            summary: "Summary",
            detail: "What there is to say.",
          }),
        ],
      }),
    ),
  );
  return (
    (asked.config?.msgpack.length ?? 0) +
    (answered.plannedState?.msgpack.length ?? 0) +
    answered.diagnostics.length
  );
}
