import { effectiveParameters, type KnownTemplate } from "../state/known-template";
import type { Preview } from "../preview/preview";
import { valueRefusals } from "../preview/preview-refusals";
import { refuse } from "../view/platform-checks";

type Values = Readonly<Record<string, string>>;

/**
 * Returns the value of every parameter in a build: the entered value, otherwise the previous build's value,
 * otherwise the default.
 *
 * For a start, the template is evaluated with these values: the form may depend on them, and the platform
 * drops values for which it then has no parameter. Other builds accept the values as they are, so that
 * workspaces of a faulty template can still be stopped and deleted.
 *
 * @throws LocalPlatformError if the platform refuses a value
 */
export async function buildParameters(
  template: KnownTemplate,
  values: { readonly previous: Values; readonly entered: Values },
  preview: ((values: Values) => Promise<Preview>) | undefined,
): Promise<Values> {
  const { previous, entered } = values;
  const all = effectiveParameters(template, previous, entered);
  if (preview === undefined) return all;
  const given = { ...previous, ...entered };
  const seen = await preview(given);
  refuse(valueRefusals(seen), "The platform refuses these values before it runs Terraform.");
  return Object.fromEntries(
    seen.parameters.flatMap(({ name, value }) => {
      const used = given[name] ?? value;
      return used === undefined ? [] : [[name, used] as const];
    }),
  );
}
