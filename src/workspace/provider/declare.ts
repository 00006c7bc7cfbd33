import { optional, provider, rule, t } from "../../schema";

const rules = [
  [/^https?:\/\//i, "must be an http or https URL"],
  [
    /^[a-z]+:\/\/(\[[\da-f:.]+\]|[^/\s?#@:[\]]+)(:\d{1,5})?([/?#]|$)/i,
    "must name a host, without user and password",
  ],
  [/^[^\s?#]*$/, "must have no query, fragment or blank"],
  [/^([^%]|%[\da-f]{2})*$/i, "must have two hexadecimal digits after each %"],
] as const;

const real = "must have a valid host and a valid port";

const url = rule([...rules.map(([, must]) => must), real], (z) =>
  z.string().check(({ value, issues }) => {
    const [, must] = rules.find(([pattern]) => !pattern.test(value)) ?? [];
    const message = must ?? (URL.canParse(value) ? undefined : real);
    if (message !== undefined) issues.push({ code: "custom", input: value, message });
  }),
);

/** The settings of the provider. */
export const workspaceProvider = provider("workspace", {
  doc:
    "Cloud development workspaces: what a template declares, and what a build of a workspace knows. " +
    "The provider reads the environment that the platform gives a build, and talks to no server.",
  attributes: {
    url: optional(t.string(url), {
      doc:
        "URL of the platform's deployment. A build of the platform always has one; without a build it is " +
        "`https://workspace.example.com`.",
      env: ["TRIVET_AGENT_URL"],
    }),
  },
});
