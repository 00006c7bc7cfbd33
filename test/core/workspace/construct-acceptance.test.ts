import { workspace } from "../../../src";
import { acceptConstructs } from "../../accept/constructs";
import { enumTables } from "./enums-table";
import { nouns } from "./tables";

acceptConstructs({
  name: "workspace",
  exported: workspace,
  provider: workspace.WorkspaceProvider,
  nouns,
  enums: enumTables,
});
