import {
  advise,
  block,
  computed,
  optional,
  required,
  optionalComputed,
  resource,
  t,
  uniqueIn,
} from "../../schema";
import { urlRule } from "../grammar/url-syntax";

/** What users see of another resource. */
export const metadata = resource("workspace_metadata", {
  doc: "What the workspace's page shows of another resource, and what that resource costs.",
  attributes: {
    resourceId: optional(t.string(), {
      doc: "ID of the resource, by a reference: the platform follows it. One metadata for each resource.",
      requiresReplace: true,
    }),
    dailyCost: optional(t.integer(), {
      doc:
        "Cost of the resource in 24 hours, in the smallest unit of the currency. Needs an enterprise " +
        "licence of the platform.",
    }),
    hide: optional(t.bool(), { doc: "Whether the user interface hides the resource." }),
    icon: optional(t.string(urlRule), {
      doc: "URL of an icon; built-in ones stand under `/icon/`.",
    }),
    metadataId: computed(t.string(), {
      doc: "ID of the metadata.",
      wire: "id",
      useStateForUnknown: true,
    }),
  },
  blocks: {
    items: block.list(
      {
        attributes: {
          key: required(t.string(), { doc: "Name of the entry, one of its own in the metadata." }),
          value: optional(t.string(), { doc: "What is shown." }),
          sensitive: optionalComputed(t.bool(), {
            doc:
              "Whether the user interface hides the value until it is asked for. Terraform shows it " +
              "unless the value itself is sensitive.",
            default: false,
          }),
          isNull: computed(t.bool(), { doc: "Whether there is no value." }),
        },
      },
      { doc: "Entries that are shown with the resource.", wire: "item" },
    ),
  },
  rules: [
    uniqueIn("items", "key"),
    advise({
      name: "resourceId",
      doc: "should be given: metadata that is tied to no resource is not shown",
      when: ({ resourceId }) => (resourceId ?? "") === "",
    }),
  ],
});
