import { isRecord } from "../../json/is-object";
import type { Attribute, Fields } from "../../schema/attribute";
import { formatPath, type Path } from "../../schema/finding";
import type { Values } from "../../schema/resource-rule";
import type { Type } from "../../schema/type";
import { hasWriteOnly } from "../../schema/write-only";
import type { Compiled } from "./compiled";
import { attributeOf, wirePath } from "./diagnostic";
import type { DiagnosticInit } from "../wire/tfplugin6/tfplugin6-value";

/**
 * Reports each write-only attribute that a configuration sets as an error, for a Terraform that would store
 * it.
 */
export function writeOnlyDiagnostics(
  { declaration, type }: Compiled,
  config: Values,
): DiagnosticInit[] {
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

/** Returns the paths of the write-only attributes that have values. */
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
