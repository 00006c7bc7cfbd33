import type { StackRule } from "../../construct";
import { copiedImage } from "../stack/copied-image";
import { rivalAttestations } from "../stack/rival-attestations";
import { urlsForLegacyProvider } from "../stack/urls-for-legacy-provider";

type Rules = readonly StackRule[];

/** The rules across constructs that each type takes part in. */
export const attestRules: Rules = [copiedImage, rivalAttestations, urlsForLegacyProvider];
export const copyRules: Rules = [copiedImage];
export const providerRules: Rules = [rivalAttestations, urlsForLegacyProvider];
export const signRules: Rules = [copiedImage, rivalAttestations, urlsForLegacyProvider];
export const verifyRules: Rules = [copiedImage];
