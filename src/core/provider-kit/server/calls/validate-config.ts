import { isRecord } from "../../../json/plain-json";
import type { Attribute, Fields } from "../../../schema/attribute";
import { formatPath, type Path } from "../../../schema/finding";
import type { Values } from "../../../schema/resource-rule";
import type { Type } from "../../../schema/type";
import { hasWriteOnly } from "../../../schema/nested-attributes";
import type { Compiled } from "../compiled";
import { attributeOf, errorDiagnostic } from "../diagnostic";
import { type Call, type Diagnosed, diagnosed } from "./call";
import type { DiagnosticInit, DynamicValue } from "../../wire/tfplugin6/tfplugin6-value";
import { wirePath } from "../../cty/type";

export const validateProviderConfig: Call<"validateProviderConfig"> = (session, { config }) =>
  diagnosed(() => checked(session.compiled(session.definition.declaration), config));

/** Checks the known values of a resource against its rules. Terraform also calls it before every plan. */
export const validateResourceConfig: Call<"validateResourceConfig"> = (session, request) =>
  diagnosed(() => {
    const { declaration } = session.resource(request.typeName);
    const compiled = session.compiled(declaration);
    const config = compiled.decodeConfig(request.config);
    const isAllowed = request.clientCapabilities?.writeOnlyAttributesAllowed === true;
    const refused = isAllowed ? [] : writeOnlyDiagnostics(compiled, config);
    return { diagnostics: [...refused, ...compiled.validate(config, isAllowed)] };
  });

/** Checks the known values of a data source against its rules, and unless they break one, by its handler. */
export const validateDataResourceConfig: Call<"validateDataResourceConfig"> = (session, request) =>
  diagnosed(async (diagnostics) => {
    const { declaration, validate } = session.dataSource(request.typeName);
    const compiled = session.compiled(declaration);
    const config = compiled.decodeConfig(request.config);
    diagnostics.push(...compiled.validate(config));
    if (diagnostics.some(({ severity }) => severity === "ERROR")) return {};
    try {
      await validate?.(config);
    } catch (error) {
      diagnostics.push(errorDiagnostic(error, compiled.type));
    }
    return {};
  });

export const validateEphemeralResourceConfig: Call<"validateEphemeralResourceConfig"> = (
  session,
  { typeName, config },
) =>
  diagnosed(() =>
    checked(session.compiled(session.ephemeralResource(typeName).declaration), config),
  );

export const validateListResourceConfig: Call<"validateListResourceConfig"> = (
  session,
  { typeName, config },
) => diagnosed(() => checked(session.compiled(session.listResource(typeName).declaration), config));

export const validateActionConfig: Call<"validateActionConfig"> = (session, { typeName, config }) =>
  diagnosed(() => checked(session.compiled(session.action(typeName).declaration), config));

/** Checks the known values of a configuration against the rules of its declaration. */
const checked = (compiled: Compiled, config: DynamicValue | undefined): Diagnosed => ({
  diagnostics: compiled.validate(compiled.decodeConfig(config)),
});

/**
 * Reports each write-only attribute that a configuration sets as an error, for a version of Terraform that would
 * store it.
 */
function writeOnlyDiagnostics({ declaration, type }: Compiled, config: Values): DiagnosticInit[] {
  if (!hasWriteOnly(declaration)) return [];
  return writeOnlyPaths(declaration, config, []).map((path) => ({
    severity: "ERROR",
    summary: "Write-only Attribute Not Supported",
    detail:
      `${formatPath(wirePath(type, path))} is write-only, which needs Terraform 1.11 or newer: an older ` +
      "version would store its value in the state. Update Terraform, or remove the attribute.",
    ...attributeOf(type, path),
  }));
}

function writeOnlyPaths({ attributes, blocks = {} }: Fields, values: Values, at: Path): Path[] {
  return [
    ...Object.entries(attributes).flatMap(([name, attribute]) =>
      inAttribute(attribute, values[name], [...at, name]),
    ),
    ...Object.entries(blocks).flatMap(([name, { nesting, fields }]) =>
      elements(nesting === "single", values[name], [...at, name]).flatMap(([value, path]) =>
        isRecord(value) ? writeOnlyPaths(fields, value, path) : [],
      ),
    ),
  ];
}

function inAttribute({ writeOnly, type }: Attribute, value: unknown, path: Path): Path[] {
  if (writeOnly === true) return (value ?? null) === null ? [] : [path];
  return inType(type, value, path);
}

function inType(type: Type, value: unknown, path: Path): Path[] {
  if (type.kind === "object")
    return isRecord(value) ? writeOnlyPaths(type.fields, value, path) : [];
  if (!("of" in type)) return [];
  return elements(false, value, path).flatMap(([each, at]) => inType(type.of, each, at));
}

/** Returns a single value, or the elements of a list or map, with their paths. */
function elements(isSingle: boolean, value: unknown, path: Path): (readonly [unknown, Path])[] {
  if (isSingle) return [[value, path]];
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([key, each]) => [
    each,
    [...path, Array.isArray(value) ? Number(key) : key],
  ]);
}
