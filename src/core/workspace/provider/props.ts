import { enumValues, optional, stringRule, t } from "../../schema";
import { appShares } from "../app/declare";
import type { AppShare } from "../app/generated";
import { platformVersion } from "../product/platform-versions";
import { type Platform, platformLicences } from "../template/platform-requirement";
import type { WorkspaceProviderBaseProps } from "./generated";

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

/** The settings of a {@link WorkspaceProvider}. */
export interface WorkspaceProviderProps extends WorkspaceProviderBaseProps {
  /**
   * The platform that the template is for, as literal values. Terraform does not see it. Synthesis uses
   * it to find what the platform would refuse, before the stack is deployed.
   *
   * @default any platform
   */
  readonly platform?: PlatformTarget | undefined;
}
