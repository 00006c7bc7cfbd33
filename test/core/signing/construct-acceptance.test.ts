import { signing } from "../../../src";
import { acceptConstructs } from "../../accept/constructs";
import { enumTables } from "./enums-table";
import { nouns } from "./tables";

acceptConstructs({
  name: "signing",
  exported: signing,
  provider: signing.SigningProvider,
  nouns,
  enums: enumTables,
});
