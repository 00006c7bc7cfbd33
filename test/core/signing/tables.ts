import type { Noun } from "../../accept/noun";
import { attest } from "./attest/table";
import { copy } from "./copy/table";
import { dataVerify } from "./verify/table";
import { provider } from "./provider/table";
import { sign } from "./sign/table";

/** The spec's resources, data source and settings of the signing provider. */
export const nouns: readonly Noun[] = [attest, copy, sign, dataVerify, provider];
