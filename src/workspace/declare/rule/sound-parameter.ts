import type { ResourceRule, Values } from "../../../schema";
import { definitionProblems } from "../parameter/definition-problems";

/** What a parameter says of itself must fit together: type, form, options, validation and default. */
export const soundParameter: ResourceRule = {
  code: "INVALID_ARGUMENT",
  severity: "error",
  // What is unknown is left out piece by piece.
  inputs: [],
  doc: (label) =>
    `\`${label("formType")}\` must fit the type and whether there are options; options must be of the ` +
    "type, with names and values of their own; the default and the options must satisfy the validation; " +
    "`min`, `max` and `monotonic` are for numbers, `regex` (with an `error`) for texts; an ephemeral " +
    "parameter must be mutable and have a default",
  broken: (values: Values, _label, isUnknown) =>
    definitionProblems(values, isUnknown).flatMap(({ path, message }) => {
      const [name, ...rest] = path;
      return typeof name === "string" ? [{ name, path: rest, message }] : [];
    }),
};
