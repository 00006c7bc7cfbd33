import { product as trivet, productOf, type StackFinding } from "../../construct";
import type { Finding } from "../../schema";

/** The severity of values that coder's platform refuses: an error for coder, a warning for our provider. */
export const coderSeverity = (
  construct: StackFinding["construct"],
): Pick<Finding, "code" | "severity"> =>
  productOf(construct, "workspace") === trivet ? advice : refusal;

/** The severity of values that no platform refuses. */
export const advice = { code: "ADVICE", severity: "warning" } as const;

const refusal = { code: "INVALID_ARGUMENT", severity: "error" } as const;
