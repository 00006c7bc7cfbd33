import { ownValue } from "../../../core/json/plain-json";
import type { Preview } from "../preview/preview";
import { HiddenValues } from "../view/hidden-values";
import type { PageBuildRequest } from "./page-builds";

type Values = Readonly<Record<string, string>>;

/** Knows which parameters are masked, and keeps their values out of what the page gets. */
export class PageMasks {
  readonly #names = new Set<string>();

  /**
   * Returns the JSON of a preview without the values that were given for masked parameters: the page has those that the
   * user enters now, and does not get those of the last build.
   *
   * @param kept the values of the last build that the page does not have
   */
  preview(preview: Preview, given: Values, kept: Values): string {
    for (const { name, styling } of preview.parameters) {
      if (styling.maskInput === true) this.#names.add(name);
    }
    for (const name of Object.keys(kept)) this.#names.add(name);
    const sent = { ...kept, ...given };
    const parameters = preview.parameters.map((parameter) =>
      this.#names.has(parameter.name) && Object.hasOwn(sent, parameter.name)
        ? { ...parameter, value: undefined }
        : parameter,
    );
    return new HiddenValues(this.#of(sent)).json({ ...preview, parameters });
  }

  /** Returns what the progress of a build must not show: masked values, and the secrets of the owner. */
  ofBuild(
    { parameters = {}, secretEnv, secretFiles, externalAuth }: PageBuildRequest,
    kept: Values,
  ): HiddenValues {
    const secrets = [secretEnv, secretFiles, externalAuth].flatMap((each) =>
      Object.values(each ?? {}),
    );
    return new HiddenValues([...secrets, ...Object.values(kept), ...this.#of(parameters)]);
  }

  /** Returns the sentence of a rule without the masked value that breaks it. */
  problem(problem: string | null, name: unknown, value: unknown): string | null {
    const isMasked = typeof name === "string" && this.#names.has(name);
    if (problem === null || !isMasked || typeof value !== "string") return problem;
    return new HiddenValues([value]).redact(problem);
  }

  #of(values: Values): readonly string[] {
    return [...this.#names].flatMap((name) => ownValue(values, name) ?? []);
  }
}
