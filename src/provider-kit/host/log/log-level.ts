/** Variables of an environment, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How much a message matters, from least to most. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** The levels in ascending order; `off` is above them all. */
const ranks: Readonly<Record<LogLevel | "off", number>> = {
  trace: 1,
  debug: 2,
  info: 3,
  warn: 4,
  error: 5,
  off: 6,
};

/** A message of this level is written when the threshold is the other one. */
export function isWritten(level: LogLevel, threshold: LogLevel | "off"): boolean {
  return ranks[level] >= ranks[threshold];
}

/**
 * Reads the level that the user asks for: `TF_LOG_PROVIDER_<NAME>`, else `TF_LOG_PROVIDER`, else
 * `TF_LOG`; without any of them nothing is logged.
 *
 * `JSON` and words that are no level mean trace, as Terraform has it.
 */
export function readLogLevel(name: string, env: Environment): LogLevel | "off" {
  const own = `TF_LOG_PROVIDER_${name.replaceAll("-", "_").toUpperCase()}`;
  for (const variable of [own, "TF_LOG_PROVIDER", "TF_LOG"]) {
    const word = env[variable]?.trim().toLowerCase() ?? "";
    if (word !== "") return isLevel(word) ? word : "trace";
  }
  return "off";
}

function isLevel(word: string): word is LogLevel | "off" {
  return Object.hasOwn(ranks, word);
}
