import type { Noun } from "../workspace/noun";
import { attest } from "./attest";
import { copy } from "./copy";
import { dataVerify } from "./data-verify";
import { provider } from "./provider";
import { sign } from "./sign";

export { type Args, type Kind, type Kinds, type Noun, wireNameIn } from "../workspace/noun";

/** The spec's resources, data source and settings of the signing provider. */
export const nouns: readonly Noun[] = [attest, copy, sign, dataVerify, provider];
