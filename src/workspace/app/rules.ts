import { uniqueValues } from "../template/unique-values";

/** An app's slug is unique among the apps of all agents, because it is part of the app's host name. */
export const uniqueAppSlugs = uniqueValues({
  attribute: "slug",
  key: (slug) => slug.toLowerCase(),
  where: "in the template, across all agents and ignoring case",
});
