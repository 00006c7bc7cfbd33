import type { Declaration } from "./declaration";
import { someAttribute } from "./some-attribute";

/** @throws Error when the provider would have to set a value where there is no state to keep it */
export function checkConfigured({ kind, type, attributes, blocks }: Declaration): void {
  const isComputed = someAttribute(
    { attributes, blocks },
    ({ presence }) => presence === "computed" || presence === "optionalComputed",
  );
  if (isComputed) {
    throw new Error(
      `${type}: the attributes of a declaration of kind "${kind}" must be required or optional`,
    );
  }
}
