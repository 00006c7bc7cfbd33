import type { Breach, FindingCode, ResourceRule } from "../../schema";

/** Values of a declaration or of a block in it. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * What a product refuses though we accept it. Its rule is run whatever is unknown, and looks at the
 * values with care for tokens.
 */
export function refusal(
  doc: string,
  broken: (
    values: Values,
    isUnknown: (value: unknown) => boolean,
  ) => Breach | readonly Breach[] | undefined,
  code: FindingCode = "INVALID_ARGUMENT",
): ResourceRule {
  return {
    code,
    severity: code === "ADVICE" ? "warning" : "error",
    inputs: [],
    doc: () => doc,
    broken: (values, _label, isUnknown) => broken(values, isUnknown),
  };
}

/** The elements of a block with their steps; a block that stands once may be written alone. */
export function elements(
  value: unknown,
): (readonly [step: readonly (string | number)[], element: Values])[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) => (isValues(each) ? [[[index], each]] : []));
  }
  return isValues(value) ? [[[], value]] : [];
}

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;

/** Whether a value is written, be it `false` or an empty text. */
export const isWritten = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
