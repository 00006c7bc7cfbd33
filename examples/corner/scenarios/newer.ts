import type { Scenario } from "./scenario";

const deferral = {
  byHand: true,
  needs: { what: "a Terraform with `-allow-deferral`, which no release has" },
  instead: "Shown by `test/e2e/corner-client`",
};

const stateStores = {
  needs: { what: "a build of Terraform with experiments, and `TF_ENABLE_PLUGGABLE_STATE_STORAGE`" },
  instead: "The kit has no state stores, because no user could try one",
};

/** What configurations cannot show, or what needs a Terraform that nobody has. */
export const others: readonly Scenario[] = [
  {
    name: "an ephemeral resource whose configuration is not known during the plan",
    steps: [
      {
        config: `resource "terraform_data" "NAME" {
  input = "Doe"
}
ephemeral "corner_lifecycle" "NAME" {
  name = "John \${terraform_data.NAME.output}"
}
resource "echo_value" "NAME" {
  value = ephemeral.corner_lifecycle.NAME
}`,
        state: { seen: { name: "John Doe", token: "fake-token-12345" } },
      },
    ],
  },
  {
    name: "an ephemeral resource that is renewed and closed",
    instead: "Shown by the last test of `test/e2e/corner`",
    notInGo: "only its own process knows what it was asked for",
  },
  ...[
    "a deferral of everything by the settings",
    "a deferral of everything, with the check of the plan",
    "a deferral of a plan",
    "a deferral of a read",
  ].map((name) => ({ name, ...deferral })),
  {
    name: "a deferral of an import",
    ...deferral,
    why: "Both are deferred. The kit has no resource yet, so a creation is planned; Go has one with an ID, which is updated.",
  },
  {
    name: "an action before a creation and after an update",
    byHand: true,
    needs: { from: "1.14", what: "Terraform 1.14, which has actions" },
    instead: "Shown by `test/e2e/corner-client`",
  },
  {
    name: "a list of resources",
    byHand: true,
    notInGo: "the provider with protocol 6 has no list",
    needs: { from: "1.14", what: "Terraform 1.14, which has lists" },
    instead: "Shown by `test/e2e/corner-client`",
  },
  ...[
    "a state store",
    "a state store with a lock",
    "a state store whose configuration is wrong",
    "a state store with a state of 100 MB",
  ].map((name) => ({ name, ...stateStores })),
];
