import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";
import type { AppOpenIn, AppShare } from "./enums";

/** An HTTP health check of an app. */
export interface AppHealthcheck {
  /** URL that must respond with a status below 500. */
  readonly url: string;
  /** Seconds between checks. */
  readonly interval: number;
  /** Number of consecutive failed checks after which the app is unhealthy. */
  readonly threshold: number;
}

/** The properties of an {@link App}. Pass a token for an enum value as `Token.asAny(value)`. */
export interface AppProps extends MetaArguments {
  /**
   * ID of the agent. Pass the agent's `agentId` directly: the platform follows this reference.
   *
   * A change replaces the app.
   */
  readonly agentId: string;
  /**
   * Name of the app in URLs, unique in the template.
   *
   * Letters, digits and single hyphens, with no hyphen at the start or end. Capitals cause a warning.
   */
  readonly slug: string;
  /**
   * Command that a terminal runs to open the app.
   *
   * Cannot be combined with `url`, `subdomain`, `external` or `healthcheck`.
   *
   * @default none
   */
  readonly command?: string | undefined;
  /**
   * With `external`, the URL of a link. Otherwise the URL of a server inside the workspace that the
   * platform proxies: `http://localhost:PORT[/SUBPATH]`.
   *
   * @default none. An app with neither `url` nor `command` opens nothing, which causes a warning.
   */
  readonly url?: string | undefined;
  /**
   * Opens `url` directly in the user's browser, without the proxy.
   *
   * Cannot be combined with `subdomain`, `healthcheck` or `share`.
   *
   * @default false
   */
  readonly external?: boolean | IResolvable | undefined;
  /**
   * Name that users see, at most 64 bytes in UTF-8.
   *
   * @default the slug
   */
  readonly displayName?: string | undefined;
  /**
   * Name of the group that contains the app, at most 64 bytes in UTF-8.
   *
   * @default no group
   */
  readonly group?: string | undefined;
  /**
   * HTTP health check of the app.
   *
   * @default none
   */
  readonly healthcheck?: AppHealthcheck | undefined;
  /**
   * Hides the app in the user interface. Needs version 2.16 of the platform.
   *
   * @default false
   */
  readonly hidden?: boolean | IResolvable | undefined;
  /**
   * URL of an icon. The built-in icons are under `/icon/`.
   *
   * @default none
   */
  readonly icon?: string | undefined;
  /**
   * Where the app opens.
   *
   * - `tab` opens a new browser tab
   * - `slim-window` opens a separate small window
   *
   * @default AppOpenIn.SLIM_WINDOW
   */
  readonly openIn?: AppOpenIn | IResolvable | undefined;
  /**
   * Position of the app: lowest first, then by name.
   *
   * @default none
   */
  readonly order?: number | undefined;
  /**
   * Who may open the app. Administrators can restrict it.
   *
   * - `owner` admits only the workspace's owner
   * - `authenticated` admits all logged-in users
   * - `public` admits everyone
   *
   * @default AppShare.OWNER
   */
  readonly share?: AppShare | IResolvable | undefined;
  /**
   * Serves the app from its own subdomain instead of a path. Needs a wildcard host, which administrators set
   * up.
   *
   * @default false
   */
  readonly subdomain?: boolean | IResolvable | undefined;
  /**
   * Markdown of the app's tooltip, at most 2048 bytes in UTF-8.
   *
   * @default none
   */
  readonly tooltip?: string | undefined;
}
