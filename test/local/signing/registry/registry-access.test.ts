import { openRegistry } from "./registry-client";

const user = { username: "ada", password: "correct horse" };
const basic = {
  authorization: `Basic ${Buffer.from(`${user.username}:${user.password}`).toString("base64")}`,
};

it("requires a name and a password", async () => {
  const registry = await openRegistry({ access: { scheme: "basic", ...user } });
  const refused = await registry.call("GET", "/v2/");
  expect(refused.headers.get("www-authenticate")).toBe('Basic realm="the local registry"');
  expect(await registry.errorCode(refused)).toBe("401 UNAUTHORIZED");
  expect((await registry.call("GET", "/v2/", undefined, basic)).status).toBe(200);
});

it("issues tokens for the requested scopes, until they expire", async () => {
  let nowMs = Date.UTC(2026, 0, 1);
  const access = { scheme: "token", ...user, identityToken: "id", anonymousPull: true } as const;
  const registry = await openRegistry({ access, now: () => new Date(nowMs) });
  const refused = await registry.call("POST", "/v2/lab/app/blobs/uploads/");
  expect(refused.headers.get("www-authenticate")).toBe(
    `Bearer realm="${registry.url}/token",service="${registry.host}",scope="repository:lab/app:pull,push"`,
  );
  const word = async (response: Response, key: string) => {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null ? String(Reflect.get(body, key)) : "";
  };
  const upload = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await registry.call("POST", "/v2/lab/app/blobs/uploads/", undefined, headers)).status;
  };
  const path = "/token?scope=repository:lab/app:pull,push";
  const full = await word(await registry.call("GET", path, undefined, basic), "token");
  expect(await upload(full)).toBe(202);
  const anonymous = await word(await registry.call("GET", path), "token");
  expect(await upload(anonymous)).toBe(401);
  const form = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: "id",
    scope: "repository:lab/app:pull,push",
  });
  const oauth = await registry.call("POST", "/token", form.toString());
  expect(await upload(await word(oauth, "access_token"))).toBe(202);
  nowMs += 300_001;
  expect(await upload(full)).toBe(401);
});

it("issues no token for a wrong password", async () => {
  const registry = await openRegistry({ access: { scheme: "token", ...user } });
  const wrong = { authorization: `Basic ${Buffer.from("ada:x").toString("base64")}` };
  expect((await registry.call("GET", "/token", undefined, wrong)).status).toBe(401);
});
