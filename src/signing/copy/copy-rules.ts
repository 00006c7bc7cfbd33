import { rule, stringRule } from "../../schema";
import { tagPattern, tagShape } from "../oci/reference/reference";

/** The value can be a tag of an image. */
export const tagRule = stringRule([
  [tagPattern, `must be a tag ${tagShape}`],
  [
    /^(?!sha256-[0-9a-f]{64})/,
    "must not begin with sha256-<digest>: such tags contain signatures and attestations",
  ],
]);

/** The value is a platform, as an index names it. */
export const platformRule = stringRule([
  [
    /^[a-z0-9_.-]+\/[a-z0-9_.-]+(?:\/[a-z0-9_.-]+)?$/,
    "must be a platform in lowercase: os/architecture or os/architecture/variant, such as linux/arm64",
  ],
]);

const somePlatform = "must name at least one platform; leave it out to copy all of them";

/** A list of platforms names at least one. */
export const somePlatforms = rule(somePlatform, (z) =>
  z.unknown().check(z.minLength(1, somePlatform)),
);
