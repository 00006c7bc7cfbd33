import type { Scenario, Step } from "./scenario";

const one = (type: string, settings: string, step: Omit<Step, "config"> = {}): Step => ({
  config: `resource "corner_${type}" "NAME" {\n${settings}\n}`,
  ...step,
});

const once = (trigger: string, secret: string | undefined, step: Omit<Step, "config">): Step =>
  one(
    "writeonce",
    `trigger_attr = "${trigger}"${secret === undefined ? "" : `\nwriteonce_string = "${secret}"`}`,
    { ...(step.refused === undefined && { planned: { writeonce_string: null } }), ...step },
  );

const requiredOnce = "Attribute Required when Creating";

/** Write-only values at each depth: `given` is what is written for one of them. */
const everywhere = (first: string, second: string, secrets: boolean): string => {
  const given = (text: string): string => (secrets ? text : "");
  return `${given(`writeonly_custom_ipv6 = "::"
writeonly_string = "fakepassword"
writeonly_list = ["fake", "password"]
writeonly_nested_object = {
  writeonly_int64 = 1234
  writeonly_bool = true
  writeonly_nested_list = [{ writeonly_string = "fakepassword1" }, { writeonly_string = "fakepassword2" }]
}`)}
nested_map = {
  key1 = {
    string_attr = "a"
    ${given("writeonly_float64 = 10")}
  }
  key2 = {
    string_attr = "b"
    ${given("writeonly_float64 = 20")}
  }
}
nested_block_list {
  string_attr = "${first}"
  ${given(`writeonly_string = "fakepassword1"`)}
  double_nested_object {
    bool_attr = true
    ${given("writeonly_bool = false")}
  }
}
nested_block_list {
  string_attr = "${second}"
  ${given(`writeonly_string = "fakepassword2"`)}
  double_nested_object {
    bool_attr = false
    ${given("writeonly_bool = true")}
  }
}`;
};

/** What the plan and the state have of it. */
const withoutSecrets = (first: string, second: string) => ({
  writeonly_custom_ipv6: null,
  writeonly_string: null,
  writeonly_list: null,
  writeonly_nested_object: null,
  nested_map: {
    key1: { string_attr: "a", writeonly_float64: null },
    key2: { string_attr: "b", writeonly_float64: null },
  },
  nested_block_list: [
    {
      string_attr: first,
      writeonly_string: null,
      double_nested_object: { bool_attr: true, writeonly_bool: null },
    },
    {
      string_attr: second,
      writeonly_string: null,
      double_nested_object: { bool_attr: false, writeonly_bool: null },
    },
  ],
});

const password = (settings: string, step: Omit<Step, "config">): Step =>
  one("writeonly_validations", settings, step);

const secretState = (old: string | null) => ({ old_password_attr: old, writeonly_password: null });

export const writeOnly: readonly Scenario[] = [
  {
    name: "write-only values at each depth are in no plan and no state",
    steps: (
      [
        ["a", "b"],
        ["b", "a"],
      ] as const
    ).map(([first, second], index) =>
      one("writeonly", everywhere(first, second, true), {
        action: index === 0 ? "create" : "update",
        unknown: ["computed_attr"],
        planned: withoutSecrets(first, second),
        state: { computed_attr: "computed_val", ...withoutSecrets(first, second) },
      }),
    ),
  },
  {
    name: "write-only values that are not written",
    steps: [
      one("writeonly", everywhere("a", "b", false), {
        action: "create",
        state: withoutSecrets("a", "b"),
      }),
    ],
  },
  {
    name: "write-only values in a Terraform that would store them",
    steps: [
      one("writeonly", everywhere("a", "b", true), {
        refused: "Write-only Attribute Not Supported",
        go: { refused: "WriteOnly Attribute Not Allowed" },
      }),
    ],
    needs: { below: "1.11", what: "Terraform 1.10 or older" },
    instead: "Shown by `test/core/provider-kit/server/write-only`, whose client is as old",
  },
  {
    name: "a write-only value that only the creation needs",
    steps: [
      once("1", "fakepassword", { action: "create", state: { writeonce_string: null } }),
      once("1", undefined, { action: "no-op" }),
      once("1", "another value alone changes nothing", { action: "no-op" }),
      once("2", "fakepassword", { action: "replace", state: { writeonce_string: null } }),
    ],
  },
  {
    name: "a write-only value that the creation lacks",
    steps: [once("1", undefined, { refused: requiredOnce })],
  },
  {
    name: "a write-only value that the replacement lacks",
    steps: [
      once("1", "fakepassword", { action: "create", state: { writeonce_string: null } }),
      once("2", undefined, { refused: requiredOnce }),
    ],
  },
  {
    name: "an import of a resource with a write-only value",
    steps: [
      {
        config: `import {
  to = corner_writeonly_import.NAME
  id = "hello world!"
}
resource "corner_writeonly_import" "NAME" {
  string_attr      = "hello world!"
  writeonly_string = "fakepassword"
}`,
        action: "no-op",
        state: { string_attr: "hello world!", writeonly_string: null },
      },
    ],
  },
  {
    name: "a move to a resource with a write-only value",
    steps: [
      { config: `resource "terraform_data" "NAME" {\n  input = "hello world!"\n}` },
      {
        config: `resource "corner_writeonly_move" "NAME" {
  string_attr      = "hello world!"
  writeonly_string = "fakepassword"
}
moved {
  from = terraform_data.NAME
  to   = corner_writeonly_move.NAME
}`,
        action: "no-op",
        state: { string_attr: "hello world!", writeonly_string: null },
      },
    ],
  },
  {
    name: "an upgrade of a resource with a write-only value",
    steps: [
      one("writeonly_upgrade", `string_attr = "hello!"\nwriteonly_string = "fakepassword"`, {
        state: { string_attr: "hello!", writeonly_string: null },
      }),
      one("writeonly_upgrade", `string_attr = "world!"\nwriteonly_string = "fakepassword"`, {
        action: "no-op",
        state: { string_attr: "world!", writeonly_string: null },
      }),
    ],
    notInGo: "the provider has one version of the resource, unless it is compiled with another",
  },
  {
    name: "rules about a write-only value",
    steps: [
      password("", {
        refused: "needs exactly one of",
        go: { refused: "Missing Attribute Configuration" },
      }),
      password(`old_password_attr = "oldpassword"`, {
        action: "create",
        planned: secretState("oldpassword"),
        state: secretState("oldpassword"),
      }),
      password(`password_version = "v1"\nold_password_attr = "oldpassword"`, {
        refused: "cannot be combined with",
        go: { refused: "Invalid Attribute Combination" },
      }),
      password(`writeonly_password = "newpassword"`, {
        refused: "Missing Companion Attribute",
        go: { refused: "Invalid Attribute Combination" },
      }),
      password(`password_version = "v1"\nwriteonly_password = "newpassword"`, {
        action: "replace",
        planned: secretState(null),
        state: secretState(null),
      }),
      password(
        `password_version = "v1"\nwriteonly_password = "another value alone changes nothing"`,
        {
          action: "no-op",
          state: secretState(null),
        },
      ),
      password(`password_version = "v2"`, {
        refused: "Missing Companion Attribute",
        go: { refused: "Missing Attribute Configuration" },
      }),
      password(`password_version = "v2"\nwriteonly_password = "newpassword2"`, {
        action: "replace",
        state: secretState(null),
      }),
      password(`old_password_attr = "oldpassword2"`, {
        action: "replace",
        planned: secretState("oldpassword2"),
        state: secretState("oldpassword2"),
      }),
    ],
  },
];

const user = (name: string, settings: string, language: string, before = ""): Step => ({
  config: `${before}resource "corner_user" "NAME" {
  email = "NAME@example.com"
  name  = ${name}
  age   = 200
  ${settings}
}`,
  state: { age: 200, language },
});

export const users: readonly Scenario[] = [
  { name: "a user whose language the service chooses", steps: [user(`"Ada"`, "", "en")] },
  { name: "a user with a language", steps: [user(`"Ada"`, `language = "es"`, "es")] },
  {
    name: "a user with a language that is not known during the plan",
    steps: [
      user(`"Ada"`, "", "en"),
      user(
        `"Ada"`,
        "language = terraform_data.NAME.output",
        "es",
        `resource "terraform_data" "NAME" {\n  input = "es"\n}\n`,
      ),
    ],
  },
  {
    name: "a user who is changed",
    steps: [
      user(`"Ada"`, `language = "es"`, "es"),
      { ...user(`"Bob"`, `language = "en"`, "en"), action: "update" },
    ],
  },
  {
    name: "a user whose name comes from the environment",
    steps: [user("var.NAME", "", "en", `variable "NAME" {\n  type = string\n}\n`)],
  },
];

const moveTo = (from: string): string => `moved {
  from = ${from}
  to   = corner_move_state.NAME
}
resource "corner_move_state" "NAME" {}`;

const identities = {
  byHand: true,
  needs: { from: "1.12", what: "Terraform 1.12, which has identities" },
  instead: "Shown by `test/e2e/corner-client`",
};

export const moves: readonly Scenario[] = [
  {
    name: "a move from another provider",
    steps: [
      { config: `resource "random_string" "NAME" {\n  length = 12\n}`, state: { length: 12 } },
      {
        config: moveTo("random_string.NAME"),
        action: "no-op",
        state: { moved_random_string: "aaaaaaaaaaaa" },
      },
    ],
  },
  {
    name: "a move with the identity of its source",
    steps: [
      one("identity", `name = "tom"`, { state: { id: "id-123", name: "tom" } }),
      {
        config: moveTo("corner_identity.NAME"),
        action: "no-op",
        state: { moved_random_string: "tom" },
      },
    ],
    ...identities,
  },
  {
    name: "a resource with an identity, and imports by it",
    steps: [
      one("identity", `name = "tom"`, { state: { id: "id-123", name: "tom" } }),
      {
        config: `import {
  to       = corner_identity.NAME_imported
  identity = { id = "id-123" }
}
resource "corner_identity" "NAME_imported" {
  name = "tom"
}`,
        action: "no-op",
        state: { id: "id-123", name: "tom" },
      },
    ],
    ...identities,
  },
  {
    name: "an identity that changes",
    steps: [one("identity", `name = "jerry"`, { refused: "dentity" })],
    ...identities,
  },
];
