/** Where the platform is reached. */
export interface AccessUrl {
  /** The URL as it was given, without slashes at the end. */
  readonly url: string;
  /** The port that it names, else its scheme's. */
  readonly port: number;
  /** Scheme, host and port with the path `/`: what an agent's script is given. */
  readonly root: string;
}

/** Takes apart an http or https URL that the rules of the setting have passed. */
export function accessUrl(text: string): AccessUrl {
  const { origin, port, protocol } = new URL(text);
  const usual = protocol === "https:" ? 443 : 80;
  return {
    url: text.replace(/\/+$/, ""),
    port: port === "" ? usual : Number(port),
    root: `${origin}/`,
  };
}
