import type { SigningProps } from "./props";

/** The properties of a {@link Sign}. */
export type SignProps = SigningProps;
