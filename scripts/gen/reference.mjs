// @ts-check
import { loadSource } from "../source.mjs";
import { examples } from "./examples.mjs";

/**
 * The reference of one provider, from its declarations and from `examples/`, in the layout that Terraform
 * registries expect: the content of a provider's `docs` folder.
 *
 * @param {string} name
 * @returns {Promise<Map<string, string>>} path in the checkout to content
 */
export async function reference(name) {
  const { referencePages } = await loadSource("src/core/schema/reference/pages.ts");
  const { provider } = await loadSource(`src/core/${name}/provider-definition.ts`);
  const declarations = (/** @type {readonly { declaration: unknown }[]} */ list = []) =>
    list.map(({ declaration }) => declaration);
  /** @type {ReadonlyMap<string, string>} */
  const pages = referencePages({
    provider: provider.declaration,
    resources: declarations(provider.resources),
    dataSources: declarations(provider.dataSources),
    ephemeralResources: declarations(provider.ephemeralResources),
    listResources: declarations(provider.listResources),
    actions: declarations(provider.actions),
    functions: declarations(provider.functions),
    examples: await examples(name),
    command: "npm run gen",
  });
  return new Map([...pages].map(([path, text]) => [`docs/reference/${name}/${path}`, text]));
}
