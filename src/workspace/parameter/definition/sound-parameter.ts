import type { ResourceRule } from "../../../schema";
import { definitionProblems } from "./definition-problems";

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
    // A block that stands once at most may be written alone, and then has no place in a list.
    const isListed = Array.isArray(values["validation"]);
    return definitionProblems(values, isUnknown).map(({ path: [name, ...path], message }) => ({
      name,
      path: name === "validation" && !isListed ? path.slice(1) : path,
      message,
    }));
  },
};
