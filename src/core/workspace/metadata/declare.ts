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

/** Metadata that users see about another resource. */
export const metadata = resource("workspace_metadata", {
  doc: "Metadata that the workspace's page shows about another resource, including its cost.",
  attributes: {
    resourceId: optional(t.string(), {
      doc: "Reference to the ID of the resource, which the platform follows. Each resource can have one metadata.",
      requiresReplace: true,
    }),
    dailyCost: optional(t.integer(), {
      doc:
        "Cost of the resource per 24 hours, in the smallest unit of the currency. Needs an enterprise " +
        "licence of the platform.",
    }),
    hide: optional(t.bool(), {
      doc: "Whether the user interface hides the resource. By default false.",
    }),
    icon: optional(t.string(urlRule), {
      doc: "URL of an icon. The built-in icons are under `/icon/`.",
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
          key: required(t.string(), { doc: "Name of the item, unique in the metadata." }),
          value: optional(t.string(), { doc: "Value of the item." }),
          sensitive: optionalComputed(t.bool(), {
            doc:
              "Whether the user interface hides the value until users reveal it. Terraform shows it " +
              "unless the value itself is sensitive.",
            default: false,
          }),
          isNull: computed(t.bool(), { doc: "Whether the item has no value." }),
        },
      },
      { doc: "Metadata items that are shown with the resource.", wire: "item" },
    ),
  },
  rules: [
    uniqueIn("items", "key"),
    advise({
      code: "metadata-without-resource",
      name: "resourceId",
      doc: "should be set: metadata without a resource is not shown",
      when: ({ resourceId }) => (resourceId ?? "") === "",
    }),
  ],
});
