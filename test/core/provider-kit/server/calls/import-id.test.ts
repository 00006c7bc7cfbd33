import { matchImportId } from "../../../../../src/core/provider-kit/server/calls/import-resource-state";

const forms = ["projects/{project}/endpoints/{endpointId}", "{place}/{toolName}", "{toolName}"];

test.each<[string, object]>([
  ["projects/acme/endpoints/edge", { project: "acme", endpointId: "edge" }],
  ["shed/saw", { place: "shed", toolName: "saw" }],
  ["saw", { toolName: "saw" }],
])("%s is parsed with the first form that matches", (id, parts) => {
  expect(matchImportId(forms, id)).toEqual(parts);
});

test.each(["", "a/b/c", "/saw", "saw/", "projects/acme/endpoints/edge/"])(
  "%j matches no form whose parts end at slashes",
  (id) => {
    expect(matchImportId(forms, id)).toBeUndefined();
  },
);

const digest = `sha256:${"0".repeat(64)}`;

test.each<[string, string, object | undefined]>([
  ["{+image}", `host:5000/lab/app@${digest}`, { image: `host:5000/lab/app@${digest}` }],
  ["{+image}", "app", { image: "app" }],
  ["{+image}", "", undefined],
  ["{zone}/{+path}", "a/b/c", { zone: "a", path: "b/c" }],
  ["{+path}/{fileName}", "a/b/c.txt", { path: "a/b", fileName: "c.txt" }],
  ["{+path}/{fileName}", "c.txt", undefined],
  ["notes/{+path}", "a/notes/b", undefined],
])("%s accepts slashes in its part: %j", (form, id, parts) => {
  expect(matchImportId([form], id)).toEqual(parts);
});

test.each(["a+b", "a.b", "(a)"])("%j outside the parts is literal", (text) => {
  expect(matchImportId([`${text}/{name}`], `${text}/x`)).toEqual({ name: "x" });
  expect(matchImportId([`${text}/{name}`], "aab/x")).toBeUndefined();
});
