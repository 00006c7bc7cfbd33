import type { SigningProps } from "./signing-props";

/** The properties of a {@link Sign}. */
export type SignProps = SigningProps;
