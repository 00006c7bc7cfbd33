import { noBuild, startBuild, uuid, variable } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { rowsByKind, rowsOn } from "../../../accept/row";

const base = {};
const outputs: Kinds = { enabled: "bool", id: "string", prompt: "string" };

const { accepts, build } = rowsOn(base);

const inTask = (id: string) => ({ ...startBuild, [variable.taskId]: id });

/** The spec's getTask. */
export const dataTask: Noun = {
  kind: "data source",
  typeName: "workspace_task",
  construct: "workspace.DataTask",
  base,
  inputs: {},
  outputs,
  wire: {},
  rows: [accepts("nothing", {}), ...rowsByKind({ base, inputs: {}, outputs })],
  builds: [
    build("is empty outside a task", {}, noBuild, {
      outputs: { enabled: false, id: "", prompt: "" },
    }),
    build(
      "reads the task",
      {},
      { ...inTask(uuid), [variable.taskPrompt]: "Fix it" },
      {
        outputs: { enabled: true, id: uuid, prompt: "Fix it" },
      },
    ),
    build(
      "reads the prompt without a task",
      {},
      { ...noBuild, [variable.taskPrompt]: "Fix it" },
      {
        outputs: { enabled: false, id: "", prompt: "Fix it" },
      },
    ),
    ...[uuid.toUpperCase(), `{${uuid}}`, `urn:uuid:${uuid}`, uuid.replaceAll("-", "")].map((id) =>
      build(`normalises ${id}`, {}, inTask(id), { outputs: { enabled: true, id: uuid } }),
    ),
    build("treats the nil UUID as no task", {}, inTask("00000000-0000-0000-0000-000000000000"), {
      outputs: { enabled: false, id: "" },
    }),
    build("refuses an invalid id", {}, inTask("my-task"), { refused: [/TRIVET_TASK_ID/] }),
  ],
  changes: [],
};
