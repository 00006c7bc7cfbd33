import { implementDataSource, known, type PlanOf } from "../../provider-kit";
import { parameter, parameterFormTypes } from "../declare/data-parameter";
import { defaultFormType } from "../declare/parameter/form-type";
import { words } from "../declare/rule/words";
import type { Workspace } from "./configure";
import { derivedUuid } from "./derived-uuid";

export type ParameterConfig = PlanOf<typeof parameter>;

/** How a parameter's value is read. */
export const parameterHandlers = implementDataSource(parameter)<Workspace>({
  read(config, { client: { environment } }) {
    const value = environment.parameter(config.name) ?? config.default ?? "";
    return Promise.resolve(
      known({
        ...config,
        formType: formTypeOf(config),
        validation: config.validation.map((bounds) => ({
          ...bounds,
          minDisabled: bounds.min === null,
          maxDisabled: bounds.max === null,
        })),
        optional: config.default !== null,
        value,
        id: derivedUuid("parameter", config.name),
      }),
    );
  },
});

function formTypeOf({ formType, type, options }: ParameterConfig) {
  if (typeof formType === "string") return formType;
  const fitting = defaultFormType(typeof type === "string" ? type : "string", options.length > 0);
  return words(parameterFormTypes).find((word) => word === fitting) ?? null;
}
