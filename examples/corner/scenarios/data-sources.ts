import type { Scenario } from "./scenario";

const large = "7227701560655103598";

/** HashiCorp has these in its provider with SDKv2, which `main.go` serves. */
const withSdk: readonly Scenario[] = [
  {
    name: "a data source that reads the time",
    steps: [
      {
        config: `data "corner_time" "NAME" {}
output "NAME" {
  value = can(timeadd(data.corner_time.NAME.current, "1h"))
}`,
        output: true,
      },
    ],
  },
  {
    name: "a data source with a list",
    steps: [{ config: `data "corner_regions" "NAME" {}`, state: { names: ["EU", "UK", "USA"] } }],
  },
  {
    name: "a data source with a number that no double represents",
    steps: [
      {
        config: `data "corner_bigint" "NAME" {}
output "NAME" {
  value = tostring(data.corner_bigint.NAME.int64)
}`,
        output: large,
      },
    ],
  },
  {
    name: "a resource with a number that no double represents",
    steps: [
      {
        config: `resource "corner_bigint" "NAME" {
  number = ${large}
}
output "NAME" {
  value = "\${corner_bigint.NAME.number} \${corner_bigint.NAME.int64}"
}`,
        output: `${large} ${large}`,
      },
    ],
  },
];

/** HashiCorp has a provider that breaks the protocol, so that Terraform refuses what it returns. */
const broken: readonly Scenario[] = [
  "plans",
  "returns after an apply",
  "reads",
  "imports",
  "keeps in a move",
  "keeps in an upgrade",
].map((verb) => ({
  name: `a write-only value that the provider ${verb}`,
  instead:
    "Does not compile. If it is forced, it is refused: `test/core/provider-kit/server/write-only-results`",
  notInGo:
    "the framework drops such a value, and HashiCorp's provider breaks the protocol without it",
}));

export const dataSources: readonly Scenario[] = [
  ...withSdk.map((scenario) => ({ ...scenario, sdk: true })),
  ...broken,
];
