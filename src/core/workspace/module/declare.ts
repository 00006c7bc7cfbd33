import { moduleCall, optional, required, stringRule, t, type ResourceRule } from "../../schema";
import { isPlainObject, ownValue } from "../../json/plain-json";

const label = "[0-9A-Za-z](?:[0-9A-Za-z_-]{0,62}[0-9A-Za-z])?";
const host = String.raw`(?!github\.com/|bitbucket\.org/)[\w-]+(?:\.[\w-]+)+(?::\d+)?/`;

/** A module of a registry, perhaps with a folder in it: `registry.example.com/acme/tools/coder//web`. */
const fromRegistry = new RegExp(`^(?:${host})?${label}/${label}/[0-9a-z]{1,64}(?://.+)?$`);

const part = String.raw`\s*(?:=|!=|>=?|<=?|~>)?\s*\d+(?:\.\d+){0,2}(?:[-+][\w.+-]+)?\s*`;

const sourceRule = stringRule([
  [/^[^\s].*$/, "must not begin with a space"],
  [
    // What Terraform itself can name: a folder, a registry, an address with a host, or a kind of address.
    /^(?:\.{1,2}\/|\/|[\w-]+::|[\w-]+:\/\/|git@|[^/]+\.[^/]+\/|[^/]+\/[^/]+\/[^/]+)/,
    'must be a module of a registry, such as "registry.coder.com/coder/code-server/coder", an address, such as "git::https://example.com/tools.git", or a folder that begins with "./"',
  ],
]);

const versionOfRegistry: ResourceRule<"source" | "version"> = {
  code: "CONFLICT",
  severity: "error",
  inputs: ["source", "version"],
  doc: (name) => `only modules of a registry have a \`${name("version")}\``,
  broken: ({ source, version }) =>
    version === undefined || version === null || fromRegistry.test(String(source))
      ? undefined
      : {
          name: "version",
          message: /^(?:\.{1,2})?\//.test(String(source))
            ? "must not be set for a folder, which has no versions: remove it"
            : 'must not be set for an address: write the version into the source, such as "?ref=v1.2.0"',
        },
};

/** The arguments of a call that are not variables of the module. */
const reserved: Readonly<Record<string, string | undefined>> = {
  agent_id: "set `agentId` instead",
  count: "set `count` itself",
  depends_on: "set `dependsOn` instead",
  for_each: "set `forEach` instead",
  lifecycle: "Terraform reserves it",
  locals: "Terraform reserves it",
  providers: "set `providers` itself",
  source: "set `source` itself",
  version: "set `version` itself",
};

const identifier = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;

const namesOfVariables: ResourceRule<"variables"> = {
  code: "INVALID_ARGUMENT",
  severity: "error",
  inputs: ["variables"],
  doc: (name) => `\`${name("variables")}\` has the variables of the module by their names in it`,
  broken: ({ variables }) => {
    if (variables === undefined || variables === null) return undefined;
    if (!isPlainObject(variables))
      return { name: "variables", message: "must be an object, with the variables by their names" };
    return Object.keys(variables).flatMap((name) => {
      const instead = ownValue(reserved, name);
      if (instead === undefined && identifier.test(name)) return [];
      const message = `cannot be a variable${instead === undefined ? "" : `: ${instead}`}`;
      return [{ name: "variables", path: [name], message }];
    });
  },
};

/** The call of a module. No provider serves it: Terraform reads it. */
export const templateModule = moduleCall("workspace_module", {
  doc: "A module, which adds parts to a template.",
  attributes: {
    source: required(t.string(sourceRule), {
      doc: "Where the module is: in a registry, at an address, or in a folder.",
    }),
    version: optional(
      t.string(
        stringRule([
          [
            new RegExp(`^${part}(?:,${part})*$`),
            'must be a version, such as "1.3.1", or a constraint, such as "~> 1.0"',
          ],
        ]),
      ),
      { doc: "The version, or the versions, of a module in a registry." },
    ),
    agentId: optional(t.string(), { doc: "ID of the agent that gets the parts of the module." }),
    variables: optional(t.dynamic(), { doc: "The other variables of the module." }),
  },
  rules: [versionOfRegistry, namesOfVariables],
});
