/**
 * The form of a part, which Terraform reads as a label of a host. It refuses two hyphens in a row, which
 * could begin an encoded label.
 */
const part = /^(?=.{1,64}$)[a-z\d]+(?:-[a-z\d]+)*$/;
const semanticVersion =
  /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;

/** Checks whether Terraform accepts a name in a source address, as the namespace or as the provider's own. */
export const isAddressPart = (text: string): boolean => part.test(text);

/** The rule of {@link isAddressPart}, for a message. */
export const addressPartRule =
  "1 to 64 lowercase letters, digits and hyphens, with no hyphen at an end and no two in a row";

/** Checks whether a version is a semantic version without build metadata. */
export const isProviderVersion = (text: string): boolean => semanticVersion.test(text);
