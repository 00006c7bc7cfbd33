import { answerEmpty } from "../../../src/local/service/answer";
import { routes, type Routes } from "../../../src/local/service/request";
import { openService, send } from "./local-service";

const table: Routes = {
  "GET /sum": ({ query }) =>
    Promise.resolve(query.getAll("n").reduce((sum, n) => sum + Number(n), 0)),
  "POST /sum": ({ response }) => answerEmpty(response, 204),
};

test("sends the result of a route as JSON, unless it responds itself", async () => {
  const service = await openService(routes("the calculator", table));
  expect(await send(service, { path: "/sum?n=1&n=2" })).toMatchObject({ status: 200, body: "3" });
  expect(await send(service, { method: "POST", path: "/sum" })).toMatchObject({ status: 204 });
});

test.each([
  ["path", { path: "/difference" }],
  ["method", { method: "DELETE", path: "/sum" }],
])("refuses another %s", async (_what, request) => {
  const service = await openService(routes("the calculator", table));
  const { status, body } = await send(service, request);
  expect(status).toBe(404);
  expect(body).toContain("the calculator has no such path");
});

test("leaves other requests to the route for them", async () => {
  const service = await openService(routes("the calculator", table, ({ path }) => ({ path })));
  expect((await send(service, { path: "/difference?n=1" })).body).toBe('{"path":"/difference"}');
});
