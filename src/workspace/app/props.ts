import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";
import type { AppOpenIn, AppShare } from "./enums";

/** An HTTP health check of an app. */
export interface AppHealthcheck {
  /** URL that must answer with a status below 500. */
  readonly url: string;
  /** Seconds between two checks. */
  readonly interval: number;
  /** Number of failed checks in a row after which the app is unhealthy. */
  readonly threshold: number;
}

/** The properties of an {@link App}. Tokens of words are given as `Token.asAny(text)`. */
export interface AppProps extends MetaArguments {
  /**
   * ID of the agent: its `agentId` alone, since the platform follows this reference.
   *
   * A change replaces the app.
   */
  readonly agentId: string;
  /**
   * Name of the app in URLs, one of its own in the template.
   *
   * Letters, digits and single hyphens, none of them at the start or end; capitals get a warning.
   */
  readonly slug: string;
  /**
   * Command that a terminal runs to open the app.
   *
   * Excludes `url`, `subdomain`, `external` and `healthcheck`.
   *
   * @default none
   */
  readonly command?: string | undefined;
  /**
   * With `external` the URL of a link; else what is proxied from inside the workspace:
   * `http://localhost:PORT[/SUBPATH]`.
   *
   * @default none; an app without `command` either opens nothing, hence a warning
   */
  readonly url?: string | undefined;
  /**
   * Whether `url` is opened by the user's browser itself instead of proxied.
   *
   * Excludes `subdomain`, `healthcheck` and `share`.
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
   * Name of the group in which the app stands, at most 64 bytes in UTF-8.
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
   * Whether the user interface hides the app. Needs version 2.16 of the platform.
   *
   * @default false
   */
  readonly hidden?: boolean | IResolvable | undefined;
  /**
   * URL of an icon; built-in ones stand under `/icon/`.
   *
   * @default none
   */
  readonly icon?: string | undefined;
  /**
   * Where the app opens.
   *
   * @default AppOpenIn.SLIM_WINDOW
   */
  readonly openIn?: AppOpenIn | IResolvable | undefined;
  /**
   * Position of the app: lowest first, equal ones by name.
   *
   * @default none
   */
  readonly order?: number | undefined;
  /**
   * Who may open the app. Administrators can restrict it.
   *
   * @default AppShare.OWNER
   */
  readonly share?: AppShare | IResolvable | undefined;
  /**
   * Whether the app has a subdomain of its own instead of a path. Needs a wildcard host, which
   * administrators set up.
   *
   * @default false
   */
  readonly subdomain?: boolean | IResolvable | undefined;
  /**
   * Markdown that is shown while the pointer rests on the app, at most 2048 bytes in UTF-8.
   *
   * @default none
   */
  readonly tooltip?: string | undefined;
}
