import type { TerraformDataSource } from "cdktf";
import type { Construct } from "constructs";
import { dataSourceBindingConfig, type DataSourceBindingConfig } from "../props/binding-config";
import { orNone } from "../props/given";
import type { ConstructType } from "../check/construct-type";
import { ElementConstruct } from "./element-construct";
import { ownDataSourceProperties, type DataSourceMetaArguments } from "../props/meta-arguments";

/** A construct for one data source. */
export abstract class DataSourceConstruct<
  Binding extends TerraformDataSource = TerraformDataSource,
  Props extends DataSourceMetaArguments = DataSourceMetaArguments,
> extends ElementConstruct<Binding> {
  /**
   * @param build creates the generated binding
   * @throws ValidationError with all problems of the properties
   */
  constructor(
    scope: Construct,
    id: string,
    type: ConstructType,
    props: Props,
    build: (scope: Construct, id: string, config: DataSourceBindingConfig<Props>) => Binding,
  ) {
    const given = orNone(props);
    super(scope, id, type, ownDataSourceProperties(given), given.dependsOn, (self) =>
      build(self, "Default", dataSourceBindingConfig(given)),
    );
  }
}
