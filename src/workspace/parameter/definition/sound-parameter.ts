import type { ResourceRule } from "../../../schema";
import { definitionProblems } from "./definition-problems";

type Blamed = "type" | "formType" | "options" | "validation" | "default" | "ephemeral" | "mutable";

/** A parameter's definition must be consistent: type, form control, options, validation and default. */
export const soundParameter: ResourceRule<Blamed> = {
  code: "INVALID_ARGUMENT",
  severity: "error",
  // The rule itself skips unknown values, one by one.
  inputs: [],
  doc: (label) =>
    `\`${label("formType")}\` must be available for the type, with or without options; options must have ` +
    "the parameter's type and unique names and values; the default and the options must satisfy the " +
    "validation; `min`, `max` and `monotonic` are for numbers, `regex` (with an `error`) is for strings; " +
    "an ephemeral parameter must be mutable and have a default",
  broken: (values, _label, isUnknown) => {
    // A block that is allowed once may be given without a list. Its path then has no index.
    const isListed = Array.isArray(values["validation"]);
    return definitionProblems(values, isUnknown).map(({ path: [name, ...path], message }) => ({
      name,
      path: name === "validation" && !isListed ? path.slice(1) : path,
      message,
    }));
  },
};
