import { optional, problemRule, provider, t } from "../../schema";

const rules = [
  [/^https?:\/\//i, "must be an http or https URL"],
  [
    /^[a-z]+:\/\/(\[[\da-f:.]+\]|[^/\s?#@:[\]]+)(:\d{1,5})?([/?#]|$)/i,
    "must contain a host, without user and password",
  ],
  [/^[^\s?#]*$/, "must not contain a query string, fragment or white space"],
  [/^([^%]|%[\da-f]{2})*$/i, "must have two hexadecimal digits after each %"],
] as const;

const real = "must have a valid host and a valid port";

const url = problemRule([...rules.map(([, must]) => must), real], (text) => {
  const [, must] = rules.find(([pattern]) => !pattern.test(text)) ?? [];
  return must ?? (URL.canParse(text) ? undefined : real);
});

/** The settings of the provider. */
export const workspaceProvider = provider("workspace", {
  doc:
    "Cloud development workspaces: the parts of a template, and the data of a workspace build. The " +
    "provider reads the environment variables that the platform sets for a build. It connects to no server.",
  attributes: {
    url: optional(t.string(url), {
      doc:
        "URL of the platform's deployment. The platform sets it for every build. Outside a build it is " +
        "`https://workspace.example.com`.",
      env: ["TRIVET_AGENT_URL"],
    }),
  },
});
