/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The severity of a log message, in ascending order. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** The levels in ascending order; `off` is above all of them. */
const ranks: Readonly<Record<LogLevel | "off", number>> = {
  trace: 1,
  debug: 2,
  info: 3,
  warn: 4,
  error: 5,
  off: 6,
};

/** Checks whether a message of a level is written at a threshold. */
export function isWritten(level: LogLevel, threshold: LogLevel | "off"): boolean {
  return ranks[level] >= ranks[threshold];
}

/**
 * Reads the log level from `TF_LOG_PROVIDER_<NAME>`, else `TF_LOG_PROVIDER`, else `TF_LOG`. If none
 * is set, nothing is logged.
 *
 * `JSON` and unknown levels mean trace, as in Terraform.
 *
 * @see {@link https://developer.hashicorp.com/terraform/plugin/log/managing}
 */
export function readLogLevel(name: string, env: Environment): LogLevel | "off" {
  const own = `TF_LOG_PROVIDER_${name.replaceAll("-", "_").toUpperCase()}`;
  for (const variable of [own, "TF_LOG_PROVIDER", "TF_LOG"]) {
    const level = env[variable]?.trim().toLowerCase() ?? "";
    if (level !== "") return isLevel(level) ? level : "trace";
  }
  return "off";
}

function isLevel(level: string): level is LogLevel | "off" {
  return Object.hasOwn(ranks, level);
}
