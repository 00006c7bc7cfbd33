import { optional, t, textRule, words } from "../../schema";
import { appShares } from "../app/declare";
import type { AppShare } from "../app/enums-share";

/** The platform that a template is for, as far as its author knows it. */
export interface PlatformTarget {
  /**
   * Version of the platform, such as `2.28.0`.
   *
   * @default any version
   */
  readonly version?: string | undefined;
  /**
   * Licence of the platform.
   *
   * @default any licence
   */
  readonly licence?: PlatformLicence | undefined;
  /**
   * Who an app may be shared with, by the restriction of the whole site.
   *
   * @default there is no restriction
   */
  readonly permittedShareLevels?: readonly AppShare[] | undefined;
  /**
   * Whether administrators have set up a wildcard host, which apps with a subdomain need.
   *
   * @default not known
   */
  readonly wildcardHost?: boolean | undefined;
}

const licences = ["none", "enterprise", "premium"] as const;

/** What licence a platform has; a premium one includes what an enterprise one does. */
export type PlatformLicence = (typeof licences)[number];

const version = textRule([
  [/^\d+\.\d+(\.\d+)?(-[\dA-Za-z.-]+)?(\+[\dA-Za-z.-]+)?$/, "must be a version such as 2.28.0"],
]);

/** What a {@link PlatformTarget} may be; Terraform never sees it. */
export const platformTarget = optional(
  t.object({
    version: optional(t.string(version), { doc: "Version of the platform." }),
    licence: optional(t.oneOf(licences), { doc: "Licence of the platform." }),
    permittedShareLevels: optional(t.list(t.oneOf(words(appShares))), {
      doc: "Who an app may be shared with.",
    }),
    wildcardHost: optional(t.bool(), { doc: "Whether there is a wildcard host." }),
  }),
  { doc: "The platform that the template is for." },
);
