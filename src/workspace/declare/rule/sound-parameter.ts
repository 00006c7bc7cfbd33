import type { ResourceRule } from "../../../schema";
import { definitionProblems } from "../parameter/definition-problems";

type Blamed = "type" | "formType" | "options" | "validation" | "default" | "ephemeral" | "mutable";

/** What a parameter says of itself must fit together: type, form, options, validation and default. */
export const soundParameter: ResourceRule<Blamed> = {
  code: "INVALID_ARGUMENT",
  severity: "error",
  // What is unknown is left out piece by piece.
  inputs: [],
  doc: (label) =>
    `\`${label("formType")}\` must fit the type and whether there are options; options must be of the ` +
    "type, with names and values of their own; the default and the options must satisfy the validation; " +
    "`min`, `max` and `monotonic` are for numbers, `regex` (with an `error`) for texts; an ephemeral " +
    "parameter must be mutable and have a default",
  broken: (values, _label, isUnknown) => {
    const { validation } = values;
    // A block that stands once at most may be written alone.
    const isAlone = !Array.isArray(validation) && (validation ?? undefined) !== undefined;
    const definition =
      isAlone && !isUnknown(validation) ? { ...values, validation: [validation] } : values;
    return definitionProblems(definition, isUnknown).map(({ path: [name, ...path], message }) => ({
      name,
      path: isAlone && name === "validation" ? path.slice(1) : path,
      message,
    }));
  },
};
