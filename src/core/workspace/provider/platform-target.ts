import { optional, t, stringRule, enumValues } from "../../schema";
import { appShares } from "../app/declare";
import { platformLicences, type Platform } from "../template/platform-requirement";
import { platformVersion } from "../product/platform-versions";
import type { AppShare } from "../app/generated";

/** The platform that a template is for, as far as it is known. */
export interface PlatformTarget extends Platform {
  /**
   * The share levels that the platform permits for apps.
   *
   * @default all levels
   */
  readonly permittedShareLevels?: readonly AppShare[] | undefined;
}

const version = stringRule([[platformVersion, "must be a version such as 2.28.0"]]);

/** The declaration of a {@link PlatformTarget}. Terraform never sees it. */
export const platformTarget = optional(
  t.object({
    version: optional(t.string(version), { doc: "Version of the platform." }),
    licence: optional(t.oneOf(platformLicences), { doc: "Licence of the platform." }),
    permittedShareLevels: optional(t.list(t.oneOf(enumValues(appShares))), {
      doc: "The share levels that the platform permits for apps.",
    }),
    externalAuth: optional(t.list(t.string()), {
      doc: "The IDs of the external logins that administrators have set up.",
    }),
    wildcardHost: optional(t.bool(), {
      doc: "Whether administrators have set up a wildcard host.",
    }),
  }),
  { doc: "The platform that the template is for." },
);
