import { UNKNOWN } from "../../../../src/core/schema";
import { anyUuid, noBuild, startBuild, uuid, variable } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { conflict, deprecated, invalid, missing, rowsByKind, rowsOn } from "../../../accept/row";

const base = { appId: uuid };
const inputs: Kinds = { appId: "string", sidebarApp: { block: { id: "string" } } };
const outputs: Kinds = { enabled: "bool", prompt: "string" };

const { accepts, refuses, warns, build } = rowsOn(base);

const aside = (id: unknown): object => ({ appId: undefined, sidebarApp: { id } });

/** The spec's AiTask. */
export const aiTask: Noun = {
  kind: "resource",
  typeName: "workspace_ai_task",
  construct: "workspace.AiTask",
  base,
  inputs,
  outputs,
  wire: {},
  rows: [
    accepts("the ID of an app", {}),
    accepts("an ID in uppercase", { appId: uuid.toUpperCase() }),
    accepts("an unknown sidebarApp's id", aside(UNKNOWN)),
    refuses("an empty appId", { appId: "" }, invalid("appId")),
    refuses("an appId that is not a UUID", { appId: "chat" }, invalid("appId")),
    refuses("an appId with a suffix", { appId: `${uuid}0` }, invalid("appId")),
    refuses("a sidebarApp's id that is not a UUID", aside("chat"), invalid("sidebarApp", "id")),
    refuses("a sidebarApp without id", aside(undefined), missing("sidebarApp", "id")),
    refuses("both appId and sidebarApp", { sidebarApp: { id: uuid } }, conflict("sidebarApp")),
    refuses("neither appId nor sidebarApp", { appId: undefined }, conflict("appId")),
    warns("sidebarApp, which is deprecated", aside(uuid), deprecated("sidebarApp")),
    ...rowsByKind({ base, inputs: { appId: "string" }, outputs }),
  ],
  builds: [
    build("is off outside a task", {}, noBuild, {
      outputs: { enabled: false, prompt: "", aiTaskId: anyUuid },
    }),
    build(
      "is on in a task, with its prompt and its id",
      {},
      { ...startBuild, [variable.taskId]: uuid, [variable.taskPrompt]: "Fix it" },
      { outputs: { enabled: true, prompt: "Fix it", aiTaskId: uuid, appId: uuid } },
    ),
    build(
      "writes the task's ID in lowercase",
      {},
      { ...startBuild, [variable.taskId]: uuid.toUpperCase() },
      { outputs: { enabled: true, prompt: "", aiTaskId: uuid } },
    ),
    build(
      "is off for the nil UUID",
      {},
      { ...startBuild, [variable.taskId]: "00000000-0000-0000-0000-000000000000" },
      { outputs: { enabled: false } },
    ),
    build("takes the app's id from the deprecated block", aside(uuid), noBuild, {
      outputs: { appId: uuid },
      warnings: [/deprecated/],
    }),
  ],
  changes: [{ input: "appId", from: uuid, to: uuid.replace("7", "8"), replaces: false }],
};
