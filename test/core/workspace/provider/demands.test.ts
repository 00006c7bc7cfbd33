import { externalAuth, secret } from "../../../../src/core/workspace/workspace-owner/declare";
import { details, summaries } from "../../provider-kit/server/protocol";
import { type Environment, readData, startBuild, stopBuild, validateData } from "./provider";

/** A real build without a transition, which starts the workspace. */
const silentBuild = { ...startBuild, TRIVET_WORKSPACE_TRANSITION: "" };
const deletion = { ...startBuild, TRIVET_WORKSPACE_TRANSITION: "destroy" };
const prebuild = { ...startBuild, TRIVET_WORKSPACE_IS_PREBUILD: "true" };
const claim = { ...startBuild, TRIVET_WORKSPACE_IS_PREBUILD_CLAIM: "true" };

describe("a secret", () => {
  const helpMessage = "Run `gh auth token` and store what it says.";
  const byEnv = { env: "GH_TOKEN", helpMessage };
  const byFile = { file: "~/.netrc", helpMessage };

  test.each<[object, Environment, string]>([
    [byEnv, { TRIVET_SECRET_ENV_GH_TOKEN: "HUSH-HUSH" }, "env:GH_TOKEN"],
    [byFile, { TRIVET_SECRET_FILE_7e2f2e6e65747263: "HUSH-HUSH" }, "file:~/.netrc"],
  ])("is read: %j", async (config, variable, id) => {
    const environment = { ...startBuild, ...variable, TF_LOG: "TRACE" };
    const { state, diagnostics, log } = await readData(secret, { ...config }, environment);
    expect(diagnostics).toEqual([]);
    expect(state).toMatchObject({ ...config, value: "HUSH-HUSH", id });
    expect(log).not.toContain("HUSH");
  });

  test.each<[string, Environment]>([
    ["absent", startBuild],
    ["missing, in a build without a transition", silentBuild],
    ["empty", { ...startBuild, TRIVET_SECRET_ENV_GH_TOKEN: "" }],
    ["missing when a user claims the workspace", claim],
  ])("that is %s is refused in a real build, with help", async (_name, environment) => {
    const { diagnostics } = await readData(secret, byEnv, environment);
    expect(summaries(diagnostics)).toEqual(["ERROR env Missing Secret"]);
    expect(details(diagnostics)).toContain("GH_TOKEN");
    expect(details(diagnostics)).toContain(helpMessage);
  });

  test("in a file that is missing is refused at the file", async () => {
    const { diagnostics } = await readData(secret, byFile, startBuild);
    expect(summaries(diagnostics)).toEqual(["ERROR file Missing Secret"]);
  });

  test("that is missing may have no help text", async () => {
    const { diagnostics } = await readData(secret, { ...byEnv, helpMessage: "" }, startBuild);
    expect(details(diagnostics)).toMatch(/again\.$/);
  });

  test.each<[string, Environment]>([
    ["there is no build", {}],
    ["the workspace stops", stopBuild],
    ["it is deleted", deletion],
    ["it is an unclaimed prebuild", prebuild],
  ])("may be missing while %s", async (_name, environment) => {
    const { state, diagnostics } = await readData(secret, byEnv, environment);
    expect(diagnostics).toEqual([]);
    expect(state).toMatchObject({ value: "", id: "env:GH_TOKEN" });
  });

  test.each<[object, string]>([
    [{}, "ERROR env Conflicting Attributes"],
    [{ env: "A", file: "/a" }, "ERROR file Conflicting Attributes"],
    [{ env: "1A" }, "ERROR env Invalid Attribute Value"],
    [{ file: "a" }, "ERROR file Invalid Attribute Value"],
  ])("is checked before anything is read: %j", async (config, expected) => {
    expect(summaries(await validateData(secret, { helpMessage, ...config }))).toEqual([expected]);
  });
});

describe("an external service", () => {
  const github = { id: "git-hub" };
  const token = { "TRIVET_EXTERNAL_AUTH_ACCESS_TOKEN_git-hub": "HUSH-HUSH" };

  test("has the token that the platform provides", async () => {
    const environment = { ...startBuild, ...token, TF_LOG: "TRACE" };
    const { state, diagnostics, log } = await readData(externalAuth, github, environment);
    expect(diagnostics).toEqual([]);
    expect(state).toEqual({ id: "git-hub", optional: null, accessToken: "HUSH-HUSH" });
    expect(log).not.toContain("HUSH");
  });

  test.each<[string, object, Environment, string[]]>([
    ["a warning when a workspace starts", {}, startBuild, ["WARNING id Missing External Token"]],
    [
      "a warning in a build without a transition",
      {},
      silentBuild,
      ["WARNING id Missing External Token"],
    ],
    ["nothing when it is optional", { optional: true }, startBuild, []],
    ["nothing when a workspace stops", {}, stopBuild, []],
    ["nothing outside a build", {}, {}, []],
  ])("without a token leads to %s", async (_name, config, environment, expected) => {
    const { state, diagnostics } = await readData(
      externalAuth,
      { ...github, ...config },
      environment,
    );
    expect(summaries(diagnostics)).toEqual(expected);
    expect(state).toMatchObject({ accessToken: "" });
  });

  test("has an ID that is not empty", async () => {
    const diagnostics = await validateData(externalAuth, { id: "" });
    expect(summaries(diagnostics)).toEqual(["ERROR id Invalid Attribute Value"]);
  });
});
