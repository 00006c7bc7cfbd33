import { ids, signing, workspace } from "../../../../src";
import { provider as idsProvider } from "../../../../src/core/ids/provider-definition";
import { provider as signingProvider } from "../../../../src/core/signing/provider-definition";
import { provider as workspaceProvider } from "../../../../src/core/workspace/provider-definition";
import { UNKNOWN } from "../../../../src/core/schema";
import { compareDerived } from "../../../accept/derived";
import type { Args } from "../../../accept/noun";
import { endpoint } from "../../ids/endpoint/table";
import { nouns as signingNouns } from "../../signing/tables";
import { nouns as workspaceNouns } from "../../workspace/tables";

const isNotText = (value: unknown): boolean =>
  value !== undefined && value !== UNKNOWN && typeof value !== "string";

const isList = (value: unknown): value is readonly Args[] => Array.isArray(value);

compareDerived({ name: "ids", exported: ids, provider: idsProvider, nouns: [endpoint] });

compareDerived({
  name: "signing",
  exported: signing,
  provider: signingProvider,
  nouns: signingNouns,
});

compareDerived({
  name: "workspace",
  exported: workspace,
  provider: workspaceProvider,
  nouns: workspaceNouns,
  offersMore: {
    // Its name is that of the construct.
    "workspace.Env": ({ name }) => name === undefined,
    // It takes a value of its type.
    "workspace.DataParameter": ({ default: value, options }) =>
      isNotText(value) || (isList(options) && options.some(({ value }) => isNotText(value))),
  },
});
