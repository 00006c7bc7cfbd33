import { providerMethods as methods } from "../../../../../src/core/provider-kit/wire/tfplugin6/tfplugin6";

const identity = (last: number) => ({ identityData: { msgpack: Buffer.from([1, last]) } });
const state = { msgpack: Buffer.from([1, 2]) };
const config = { msgpack: Buffer.from([1, 1]) };
const actionRequest = {
  actionType: "a_b",
  config,
  clientCapabilities: { deferralAllowed: true },
};
const diagnostics = [{ severity: "WARNING", summary: "s", detail: "d" }];
const attribute = (name: string, type: string) => ({ name, type: Buffer.from(type) });

// Messages as encoded by the Go implementation in Terraform 1.14.9.
test.each([
  [
    methods.getResourceIdentitySchemas.response,
    "0a2d0a03615f621226080312130a016e120822737472696e672218012a02c3bc120d0a016f120622626f6f6c222001120808021201731a0164",
    {
      identitySchemas: {
        a_b: {
          version: 3,
          identityAttributes: [
            { ...attribute("n", '"string"'), requiredForImport: true, description: "ü" },
            { ...attribute("o", '"bool"'), optionalForImport: true },
          ],
        },
      },
      diagnostics,
    },
  ],
  [
    methods.upgradeResourceIdentity.request,
    "0a03615f6210021a040a027b7d",
    { typeName: "a_b", version: 2, rawIdentity: { json: Buffer.from("{}") } },
  ],
  [
    methods.upgradeResourceIdentity.response,
    "0a060a040a020109120808021201731a0164",
    { upgradedIdentity: identity(9), diagnostics },
  ],
  [
    methods.readResource.request,
    "0a03615f6232060a040a020101",
    { typeName: "a_b", currentIdentity: identity(1) },
  ],
  [
    methods.readResource.response,
    "0a040a0201022a060a040a020103",
    { newState: state, newIdentity: identity(3) },
  ],
  [
    methods.planResourceChange.request,
    "0a03615f6242060a040a020101",
    { typeName: "a_b", priorIdentity: identity(1) },
  ],
  [
    methods.planResourceChange.response,
    "0a040a0201023a060a040a020103",
    { plannedState: state, plannedIdentity: identity(3) },
  ],
  [
    methods.applyResourceChange.request,
    "0a03615f623a060a040a020101",
    { typeName: "a_b", plannedIdentity: identity(1) },
  ],
  [
    methods.applyResourceChange.response,
    "0a040a0201022a060a040a020103",
    { newState: state, newIdentity: identity(3) },
  ],
  [
    methods.importResourceState.request,
    "0a03615f6222060a040a020101",
    { typeName: "a_b", identity: identity(1) },
  ],
  [
    methods.importResourceState.response,
    "0a0d0a03615f6222060a040a020101",
    { importedResources: [{ typeName: "a_b", identity: identity(1) }] },
  ],
  [
    methods.moveResourceState.request,
    "1201613a040a027b7d4005",
    {
      sourceTypeName: "a",
      sourceIdentity: { json: Buffer.from("{}") },
      sourceIdentitySchemaVersion: 5,
    },
  ],
  [methods.moveResourceState.response, "22060a040a020104", { targetIdentity: identity(4) }],
  [
    methods.listResource.request,
    "0a03615f6212040a020101180120ac02",
    { typeName: "a_b", config, includeResourceObject: true, limit: 300 },
  ],
  [
    methods.listResource.response,
    "0a060a040a0201011202c3bc1a040a020102220808021201731a0164",
    { identity: identity(1), displayName: "ü", resourceObject: state, diagnostic: diagnostics },
  ],
  [
    methods.validateListResourceConfig.request,
    "0a03615f6212040a0201011a040a02010222040a020103",
    {
      typeName: "a_b",
      config,
      includeResourceObject: state,
      limit: { msgpack: Buffer.from([1, 3]) },
    },
  ],
  [methods.validateListResourceConfig.response, "0a0808021201731a0164", { diagnostics }],
  [
    methods.getProviderSchema.response,
    "4a070a016c120208015a090a016112040a020802",
    {
      listResourceSchemas: { l: { version: 1 } },
      actionSchemas: { a: { schema: { version: 2 } } },
    },
  ],
  [
    methods.getMetadata.response,
    "3a030a016c4a030a0161",
    { listResources: [{ typeName: "l" }], actions: [{ typeName: "a" }] },
  ],
  [methods.planAction.request, "0a03615f6212040a0201011a020801", actionRequest],
  [
    methods.planAction.response,
    "0a0808021201731a016412020803",
    { diagnostics, deferred: { reason: "ABSENT_PREREQ" } },
  ],
  [methods.invokeAction.request, "0a03615f6212040a0201011a020801", actionRequest],
  [methods.invokeAction.response, "0a040a02c3bc", { progress: { message: "ü" } }],
  [methods.invokeAction.response, "120a0a0808021201731a0164", { completed: { diagnostics } }],
  [methods.invokeAction.response, "1200", { completed: { diagnostics: [] } }],
  [methods.validateActionConfig.request, "0a03615f6212040a020101", { typeName: "a_b", config }],
  [methods.validateActionConfig.response, "0a0808021201731a0164", { diagnostics }],
])("a message of terraform is read and written back the same: %#", (message, hex, value) => {
  const decoded = message.decode(Buffer.from(hex, "hex"));
  expect(decoded).toMatchObject(value);
  expect(Buffer.from(message.encode(decoded as never)).toString("hex")).toBe(hex);
});
