import { ownValue } from "../../../core/json/plain-json";
import type { Preview, PreviewedParameter } from "../preview/preview";

/**
 * Returns the platform's objections to numbers that may only increase or only decrease from build to build.
 *
 * @param preview with the values of the build
 * @param previous the values of the previous build
 */
export function monotonicRefusals(
  { parameters }: Preview,
  previous: Readonly<Record<string, string>>,
): readonly string[] {
  return parameters.flatMap((parameter) => {
    const problem = problemOf(parameter, ownValue(previous, parameter.name));
    return problem === undefined ? [] : [`parameter "${parameter.name}": ${problem}`];
  });
}

function problemOf(
  { value = "", validations: [validation] }: PreviewedParameter,
  previous = "",
): string | undefined {
  if (!isInteger(value) || !isInteger(previous)) return undefined;
  const [now, before] = [BigInt(value), BigInt(previous)];
  if (validation?.monotonic === "increasing" && now < before) {
    return `parameter value '${now}' must be equal or greater than previous value: ${before}`;
  }
  if (validation?.monotonic === "decreasing" && now > before) {
    return `parameter value '${now}' must be equal or lower than previous value: ${before}`;
  }
  return undefined;
}

/** At most 64 bits: longer numbers are refused anyway. */
const isInteger = (text: string): boolean => /^-?\d{1,19}$/.test(text);
