import { implementDataSource, known, type PlanOf } from "../../provider-kit";
import { enumValues } from "../../schema";
import { parameter, parameterFormTypes } from "./declare";
import { defaultFormType } from "./known-definition";
import { type Workspace, derivedUuid } from "../provider/configure";
import { chosenValue } from "./chosen-value";

type Config = PlanOf<typeof parameter>;

/** Handlers of `workspace_parameter`: reads the value from the build data. */
export const parameterHandlers = implementDataSource(parameter)<Workspace>({
  read(config, { client: { environment }, warn }) {
    const type = typeOf(config);
    const formType = formTypeOf(config);
    const { name, default: byDefault, options } = config;
    const rules = { type, formType: formType ?? "", options, validation: config.validation[0] };
    const validation = config.validation.map((block) => ({
      ...block,
      minDisabled: block.min === null,
      maxDisabled: block.max === null,
    }));
    return Promise.resolve(
      known({
        ...config,
        formType,
        validation,
        optional: byDefault !== null,
        value: chosenValue({ name, default: byDefault, rules }, environment, warn),
        id: derivedUuid("parameter", name),
      }),
    );
  },
});

const typeOf = ({ type }: Config) => (typeof type === "string" ? type : "string");

function formTypeOf(config: Config) {
  if (typeof config.formType === "string") return config.formType;
  const fitting = defaultFormType(typeOf(config), config.options.length > 0);
  return enumValues(parameterFormTypes).find((each) => each === fitting) ?? null;
}
