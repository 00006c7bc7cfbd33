import {
  Fn,
  TerraformStack,
  TerraformVariable,
  Testing,
  Token,
  type TerraformMetaArguments,
} from "cdktf";
import { ids } from "../../../../src";
import type { MetaArguments } from "../../../../src/core/construct";
import type { endpoint } from "../../../../src/core/ids/endpoint/declare";
import type { idsProvider } from "../../../../src/core/ids/provider/declare";
import { assertType, type Maps, type Same } from "../../../accept/props";

test("the props of every construct are its declaration's arguments", () => {
  assertType<Maps<ids.EndpointProps, typeof endpoint>>(true);
  assertType<Maps<ids.IdsProviderProps, typeof idsProvider>>(true);
});

test("the meta-arguments are those of cdktf", () => {
  assertType<Same<keyof MetaArguments, keyof TerraformMetaArguments>>(true);
  assertType<TerraformMetaArguments extends MetaArguments ? true : false>(true);
});

test("the compiler refuses properties that the declaration lacks", () => {
  const declare = (scope: TerraformStack): void => {
    // @ts-expect-error endpointId is required
    new ids.Endpoint(scope, "a", {});
    // @ts-expect-error a severity is one of the enum values
    new ids.Endpoint(scope, "b", { endpointId: "b", severity: "SEVERE" });
    // @ts-expect-error an output is no input
    new ids.Endpoint(scope, "c", { endpointId: "c", state: "READY" });
    // @ts-expect-error a mistyped property
    new ids.Endpoint(scope, "d", { endpointId: "d", lables: {} });
    const edge = new ids.Endpoint(scope, "e", { endpointId: "e" });
    // @ts-expect-error what a construct was given is read-only
    edge.endpointId = "f";
    // @ts-expect-error two providers are told apart by their alias, not by their type
    new ids.IdsProvider(scope, "g", { type: "ids" });
  };
  expect(() => declare(new TerraformStack(Testing.app(), "Demo"))).toThrow(ids.ValidationError);
});

test("the compiler accepts tokens in place of any value", () => {
  const stack = new TerraformStack(Testing.app(), "Demo");
  const variable = new TerraformVariable(stack, "v", {});
  const edge = new ids.Endpoint(stack, "edge", {
    endpointId: variable.stringValue,
    severity: ids.EndpointSeverity.HIGH,
  });
  const rim = new ids.Endpoint(stack, "rim", {
    endpointId: edge.endpointId,
    severity: edge.severity,
    labels: edge.labels,
    threatExceptions: edge.threatExceptions,
    trafficLogs: edge.trafficLogs,
    description: Token.asString(Fn.lookup(edge.labels, "team", "none")),
  });
  expect(rim.node.path).toBe("Demo/rim");
});
