import { uniqueValues } from "../template/unique-values";

/** An app's slug is one of its own among the apps of all agents: it stands in the app's host name. */
export const uniqueAppSlugs = uniqueValues({
  attribute: "slug",
  key: (slug) => slug.toLowerCase(),
  where: "in the template, whatever the agent and the letters' case",
});
