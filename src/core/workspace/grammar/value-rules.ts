import {
  knownElements,
  type Path,
  problemRule,
  required,
  rule,
  stringRule,
  t,
  type ValueRule,
} from "../../schema";

const hyphenated = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const plain = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i;
const wrapped = /^(?:urn:uuid:(.{36})|\{(.{36})\})$/i;

/** A UUID in the hyphenated form: hexadecimal digits in five groups, 36 characters. */
export const uuidRule = stringRule([
  [hyphenated, "must be a UUID such as 123e4567-e89b-12d3-a456-426614174000"],
]);

/**
 * Parses a UUID (RFC 9562) in any format: hyphenated, in braces, as `urn:uuid:…`, or 32 digits.
 *
 * Any version and variant is accepted, including the nil UUID.
 *
 * @returns the lowercase hyphenated form, or undefined if the string is not a UUID
 */
export function parseUuid(text: string): string | undefined {
  const [, urn, braced] = wrapped.exec(text) ?? [];
  const inner = (urn ?? braced ?? text).toLowerCase();
  if (hyphenated.test(inner)) return inner;
  if (inner !== text.toLowerCase()) return undefined;
  return plain.exec(inner)?.slice(1).join("-");
}

/** Checks whether a UUID, in the form that {@link parseUuid} returns, is the nil UUID (all zeros). */
export function isZeroUuid(uuid: string): boolean {
  return uuid === "00000000-0000-0000-0000-000000000000";
}

/** A string with at least one character that is not white space. */
export const nonBlankRule = stringRule([[/\S/, "must not be empty or blank"]]);

/** The name of an environment variable, as defined by POSIX. */
export const variableNameRule = stringRule([
  [
    /^[A-Za-z_][A-Za-z\d_]*$/,
    "must start with a letter or an underscore, followed only by letters, digits and underscores",
  ],
]);

/** Creates a rule that limits an integer to a range, including both bounds. */
export function between(least: number, most = Infinity): ValueRule {
  const must = most === Infinity ? `must be at least ${least}` : `must be from ${least} to ${most}`;
  const isWithin = (value: unknown): boolean =>
    (typeof value === "number" || typeof value === "bigint") && value >= least && value <= most;
  return rule(must, (z) => z.unknown().check(z.refine(isWithin, must)), { accepts: isWithin });
}

/** Creates a rule that limits a string to a number of bytes in UTF-8. */
export function maxBytes(limit: number): ValueRule {
  const must = `must be at most ${limit} bytes long in UTF-8`;
  return problemRule(must, (text) => {
    // No UTF-16 code unit takes more than three bytes, so most strings need not be measured.
    if (text.length * 3 <= limit) return undefined;
    const length = Buffer.byteLength(text);
    return length <= limit ? undefined : `${must}, not ${length}`;
  });
}

/** The attribute that attaches a resource to its agent. */
export const agentId = required(t.string(), {
  doc: "ID of the agent. It must be a direct reference to the agent: the platform follows it.",
  requiresReplace: true,
});

/** Returns the known paths of the volumes in the `resourcesMonitoring` of an agent, with their places in it. */
export const volumePaths = (
  resourcesMonitoring: unknown,
  isUnknown: (value: unknown) => boolean,
): readonly (readonly [place: Path, path: string])[] =>
  knownElements(resourcesMonitoring).flatMap(([outer, { volumes }]) =>
    knownElements(volumes).flatMap(([inner, { path }]) =>
      typeof path === "string" && !isUnknown(path)
        ? [[[...outer, "volumes", ...inner, "path"], path] as const]
        : [],
    ),
  );
