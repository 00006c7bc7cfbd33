import { implement, optionalComputed, resource, t, UNKNOWN } from "@trivet/provider-kit";
import { keep } from "./keep";

const doc =
  "Terraform calculates with 512 bits; the service has fewer, and returns the nearest number.";

const float32 = resource("corner_float32_precision", {
  doc: "A number of 32 bits.",
  attributes: { float32Attribute: optionalComputed(t.float32(), { doc }) },
});
const float64 = resource("corner_float64_precision", {
  doc: "A number of 64 bits.",
  attributes: { float64Attribute: optionalComputed(t.number(), { doc }) },
});

type Planned = number | null | typeof UNKNOWN;

/** What the service has chosen for a number that is not configured. */
const chosen = (planned: Planned): number | null => (planned === UNKNOWN ? 1 / 3 : planned);

type Given<Name extends string> = Readonly<Record<Name, Planned>>;

const store32 = ({ float32Attribute: given }: Given<"float32Attribute">) =>
  Promise.resolve({ float32Attribute: chosen(given) });
const store64 = ({ float64Attribute: given }: Given<"float64Attribute">) =>
  Promise.resolve({ float64Attribute: chosen(given) });

export const numbers = [
  implement(float32)<unknown>({ ...keep, create: store32, update: store32 }),
  implement(float64)<unknown>({ ...keep, create: store64, update: store64 }),
];
