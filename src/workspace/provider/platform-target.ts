import { optional, t, stringRule, enumValues } from "../../schema";
import { appShares } from "../app/declare";
import { platformLicences, type Platform } from "../template/platform-requirement";
import type { AppShare } from "../app/enums";

/** The platform that a template is for, as far as its author knows it. */
export interface PlatformTarget extends Platform {
  readonly permittedShareLevels?: readonly AppShare[] | undefined;
}

const version = stringRule([
  [/^\d+\.\d+(\.\d+)?(-[\dA-Za-z.-]+)?(\+[\dA-Za-z.-]+)?$/, "must be a version such as 2.28.0"],
]);

/** What a {@link PlatformTarget} may be; Terraform never sees it. */
export const platformTarget = optional(
  t.object({
    version: optional(t.string(version), { doc: "Version of the platform." }),
    licence: optional(t.oneOf(platformLicences), { doc: "Licence of the platform." }),
    permittedShareLevels: optional(t.list(t.oneOf(enumValues(appShares))), {
      doc: "Who an app may be shared with.",
    }),
    wildcardHost: optional(t.bool(), { doc: "Whether there is a wildcard host." }),
  }),
  { doc: "The platform that the template is for." },
);
