import { TerraformOutput, TerraformStack, TerraformVariable, Testing, Token } from "cdktf";
import { ids } from "../../../src";
import { UNKNOWN } from "../../../src/schema";
import { endpointRows, inputs, outputs, severities } from "./table";
import type { Expected } from "../../accept/table";

const stack = (): TerraformStack => new TerraformStack(Testing.app(), "Demo");

/**
 * Replaces the unknown values of a row by tokens: of the input's kind at the top level, string
 * tokens below.
 */
function withTokens(scope: TerraformStack, args: Readonly<Record<string, unknown>>): object {
  const variable = new TerraformVariable(scope, "variable", {});
  const below = (value: unknown): unknown => {
    if (value === UNKNOWN) return variable.stringValue;
    if (Array.isArray(value)) return value.map(below);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, below(inner)]));
  };
  const token = (name: string): unknown => {
    const kind = inputs[name];
    if (kind === "list") return variable.listValue;
    if (kind === "map") return Token.asStringMap(variable.value);
    return kind === "string" ? variable.stringValue : (variable.value as unknown);
  };
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      value === UNKNOWN ? token(name) : below(value),
    ]),
  );
}

interface Outcome {
  readonly errors: readonly Expected[];
  readonly endpoint: ids.Endpoint | undefined;
}

function declare(args: Readonly<Record<string, unknown>>): Outcome {
  const scope = stack();
  new ids.IdsProvider(scope, "ids");
  try {
    // The table contains invalid values on purpose.
    const endpoint = new ids.Endpoint(scope, "edge", withTokens(scope, args) as ids.EndpointProps);
    Testing.synth(scope, true);
    return { errors: [], endpoint };
  } catch (error) {
    if (!(error instanceof ids.ValidationError)) throw error;
    const errors = error.findings.map(({ code, path }) => ({ code, path }));
    return { errors, endpoint: undefined };
  }
}

const sorted = (all: readonly Expected[]): string[] =>
  all.map((each) => JSON.stringify(each)).sort();

describe("the table of the spec, on the construct", () => {
  test.each(endpointRows.map((row) => [row.name, row] as const))("%s", (_name, row) => {
    const { errors, endpoint } = declare(row.args);
    expect(sorted(errors)).toEqual(sorted(row.errors));
    for (const { code, path } of row.warnings ?? []) {
      const shown = endpoint?.node.metadata.map(({ data }) => String(data)) ?? [];
      expect(shown.join("\n")).toContain(`[ids.Endpoint:${code}:${path.join(".")}]`);
    }
  });
});

test("every input and output of the spec is a readable property that refers to the resource", () => {
  const scope = stack();
  const endpoint = new ids.Endpoint(scope, "edge", { endpointId: "edge" });
  const names = [...Object.keys(inputs), ...outputs];
  for (const name of names) {
    const value: unknown = Reflect.get(endpoint, name);
    expect(Token.isUnresolved(value)).toBe(true);
    new TerraformOutput(scope, name, { value });
  }
  const { output } = JSON.parse(Testing.synth(scope)) as { output: Record<string, unknown> };
  for (const name of names) {
    const wire = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(output[name]).toEqual({ value: `\${ids_endpoint.edge.${wire}}` });
  }
});

test("the values of EndpointSeverity are those of the spec", () => {
  expect(Object.entries(ids.EndpointSeverity)).toEqual(severities.map((word) => [word, word]));
});

test("an endpoint carries the type token of the spec", () => {
  expect(ids.Endpoint.typeToken).toBe("trivet:ids/v1:Endpoint");
});

test("warnings are annotations, each shown once and with a stable ID", () => {
  const scope = stack();
  const endpoint = new ids.Endpoint(scope, "edge", { endpointId: "edge", severity: "HIGH" });
  const shown = endpoint.node.metadata.map(({ type, data }) => [type, String(data)]);
  expect(shown).toEqual([
    [
      "@cdktf/warn",
      "network: should be set; the service refuses to create an endpoint without a network [ids.Endpoint:ADVICE:network]",
    ],
  ]);
});
