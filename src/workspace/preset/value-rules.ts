import { problemRule, rule } from "../../schema";
import { urlProblem } from "../grammar/url-syntax";

const ttl = "must be 0, or from 3600 to 31536000 (an hour to a year)";

/** How long a prebuilt workspace is kept. */
export const ttlRule = rule(ttl, (z) =>
  z.unknown().check(({ value, issues }) => {
    const seconds = Number(value);
    if (seconds !== 0 && !(seconds >= 3600 && seconds <= 31_536_000)) {
      issues.push({ code: "custom", input: value, message: ttl });
    }
  }),
);

const iconBytes = 256;
const short = `must be at most ${iconBytes} bytes long in UTF-8`;

/** The icon of a preset: a URL of limited length. */
export const iconRule = problemRule(["must be a URL", short], (text) =>
  Buffer.byteLength(text) > iconBytes ? short : urlProblem(text),
);
